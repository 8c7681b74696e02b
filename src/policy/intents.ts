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
  feature: 'a new feature in existing code that none of the above fits',
  bug_fix: 'something is broken',
  refactor: 'a new structure with the same behaviour',
  performance: 'faster or smaller',
  test: 'writes, repairs or runs tests',
  docs: 'texts for people',
  chore: 'git, versions, dependencies, formatting, settings',
  security_review: 'finds or fixes security problems',
  code_review: 'a review of existing code',
  analysis: 'measures or traces existing code and reports',
  research: 'finds out what others do or offer',
  planning: 'how it should be done, before it is done',
  question: 'a question with a short answer; nothing is changed',
  other: 'greetings, yes and no, nothing to do with software',
}

export const COMPLEXITIES = ['low', 'medium', 'high'] as const

export type Complexity = (typeof COMPLEXITIES)[number]
