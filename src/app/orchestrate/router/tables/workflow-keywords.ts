import type { Intent } from '../../../../policy/intents.ts'

/** Keywords that identify a workflow file without declared intents, by its name or description. */
export interface WorkflowKeywords {
  readonly words: string
  readonly low: string
  readonly medium: string
  readonly high: string
}

const buildKeywords = {
  low: 'quick small',
  medium: 'feature brownfield existing',
  high: 'greenfield enterprise scratch',
}
const repairKeywords = { low: 'quick rapid', medium: 'incident', high: 'incident legacy' }
const reviewKeywords = { low: '', medium: '', high: '' }

export const WORKFLOW_KEYWORDS: Readonly<Record<Intent, WorkflowKeywords>> = {
  web_app: { ...buildKeywords, words: 'fullstack web frontend ui application website app' },
  api: { ...buildKeywords, words: 'api backend service fullstack server' },
  mobile: { ...buildKeywords, words: 'mobile ios android app' },
  script: { ...buildKeywords, words: 'script automation quick cli tool' },
  data: { ...buildKeywords, words: 'data database etl ai ml migration pipeline' },
  devops: { ...buildKeywords, words: 'devops deployment infrastructure ci release pipeline' },
  feature: { ...buildKeywords, words: 'feature brownfield enhancement existing quick' },
  bug_fix: { ...repairKeywords, words: 'fix bug bugfix hotfix incident quick' },
  refactor: { ...repairKeywords, words: 'refactor refactoring quality modernization legacy cleanup' },
  performance: { ...repairKeywords, words: 'performance optimization speed quality' },
  test: { ...repairKeywords, words: 'test testing tests qa quality' },
  docs: { ...repairKeywords, words: 'docs documentation document writing' },
  chore: { ...repairKeywords, words: 'chore maintenance upgrade dependencies pr release quick' },
  security_review: { ...reviewKeywords, words: 'security audit vulnerability threat review' },
  code_review: { ...reviewKeywords, words: 'review pr quality code' },
  analysis: { ...reviewKeywords, words: 'analysis analyze onboarding assessment report' },
  research: { ...reviewKeywords, words: 'research spike evaluation exploration' },
  planning: { ...reviewKeywords, words: 'planning plan architecture design prd' },
  question: { ...reviewKeywords, words: 'question answer help ask' },
  other: { ...reviewKeywords, words: 'fallback default other' },
}
