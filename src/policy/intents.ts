/** The intents that a request can have. */
export const INTENTS = [
  'web_app',
  'api',
  'mobile',
  'script',
  'data',
  'devops',
  'feature',
  'bug_fix',
  'refactor',
  'performance',
  'test',
  'docs',
  'chore',
  'security_review',
  'code_review',
  'analysis',
  'research',
  'planning',
  'question',
  'other',
] as const

export type Intent = (typeof INTENTS)[number]

/** The meaning of each intent, as editors and the guide show it. The labelled requests use the same meanings. */
export const INTENT_MEANINGS: Readonly<Record<Intent, string>> = {
  web_app: 'pages, components, styles: what people see in a browser',
  api: 'endpoints and services that others call',
  mobile: 'apps for phones',
  script: 'small programs run by hand or by a timer, bots',
  data: 'schemas, queries, migrations, pipelines, models',
  devops: 'builds, containers, infrastructure, deployment',
  feature: 'existing code learns something, where none of the above says where',
  bug_fix: 'something is broken',
  refactor: 'another shape, the same behaviour',
  performance: 'faster or smaller',
  test: 'writes, repairs or runs tests',
  docs: 'texts for people',
  chore: 'git, versions, dependencies, formatting, settings',
  security_review: 'looks for holes, or closes them',
  code_review: 'an opinion on code that is there',
  analysis: 'measures or traces what is there, and reports',
  research: 'finds out what others do or offer',
  planning: 'how it should be done, before it is done',
  question: 'an answer of a few sentences, nothing changes',
  other: 'greetings, yes and no, nothing to do with software',
}

export const COMPLEXITIES = ['low', 'medium', 'high'] as const

export type Complexity = (typeof COMPLEXITIES)[number]
