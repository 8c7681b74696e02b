import type { Intent } from '../intents.ts'

/** Words by which a workflow file that names no intents is recognised, in its name or in what it says of itself. */
export interface Work {
  readonly words: string
  readonly low: string
  readonly medium: string
  readonly high: string
}

const making = {
  low: 'quick small',
  medium: 'feature brownfield existing',
  high: 'greenfield enterprise scratch',
}
const mending = { low: 'quick rapid', medium: 'incident', high: 'incident legacy' }
const looking = { low: '', medium: '', high: '' }

export const WORKS: Readonly<Record<Intent, Work>> = {
  web_app: { ...making, words: 'fullstack web frontend ui application website app' },
  api: { ...making, words: 'api backend service fullstack server' },
  mobile: { ...making, words: 'mobile ios android app' },
  script: { ...making, words: 'script automation quick cli tool' },
  data: { ...making, words: 'data database etl ai ml migration pipeline' },
  devops: { ...making, words: 'devops deployment infrastructure ci release pipeline' },
  feature: { ...making, words: 'feature brownfield enhancement existing quick' },
  bug_fix: { ...mending, words: 'fix bug bugfix hotfix incident quick' },
  refactor: { ...mending, words: 'refactor refactoring quality modernization legacy cleanup' },
  performance: { ...mending, words: 'performance optimization speed quality' },
  test: { ...mending, words: 'test testing tests qa quality' },
  docs: { ...mending, words: 'docs documentation document writing' },
  chore: { ...mending, words: 'chore maintenance upgrade dependencies pr release quick' },
  security_review: { ...looking, words: 'security audit vulnerability threat review' },
  code_review: { ...looking, words: 'review pr quality code' },
  analysis: { ...looking, words: 'analysis analyze onboarding assessment report' },
  research: { ...looking, words: 'research spike evaluation exploration' },
  planning: { ...looking, words: 'planning plan architecture design prd' },
  question: { ...looking, words: 'question answer help ask' },
  other: { ...looking, words: 'fallback default other' },
}
