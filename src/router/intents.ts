/** What a request can be for. What each means stands in the guide, and beside the labelled requests of the tests. */
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

export const COMPLEXITIES = ['low', 'medium', 'high'] as const

export type Complexity = (typeof COMPLEXITIES)[number]
