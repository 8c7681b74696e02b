import type { Intent } from '../../../../policy/intents.ts'

/** The complexity of an intent without other cues: below 0.75 is low, from 2.1 on high. */
export const BASE_COMPLEXITY: Readonly<Record<Intent, number>> = {
  web_app: 1,
  api: 1,
  mobile: 1,
  script: 0.6,
  data: 1,
  devops: 1,
  feature: 0.7,
  bug_fix: 0.3,
  refactor: 1,
  performance: 1,
  test: 0.5,
  docs: 0.4,
  chore: 0,
  security_review: 1,
  code_review: 0.6,
  analysis: 1,
  research: 1,
  planning: 1.2,
  question: 0,
  other: 0,
}

export const COMPLEXITY_LEVELS = { medium: 0.75, high: 2.1 }
