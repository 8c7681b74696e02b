import type { Intent } from '../../../../policy/intents.ts'
import { apiCues, featureCues, mobileCues, scriptCues, webAppCues } from './build-cues.ts'
import type { CueTable } from './cue-table.ts'
import { bugFixCues, performanceCues, refactorCues } from './maintenance-cues.ts'
import { dataCues, devopsCues } from './operations-cues.ts'
import {
  analysisCues,
  codeReviewCues,
  otherCues,
  planningCues,
  questionCues,
  researchCues,
  securityReviewCues,
} from './review-cues.ts'
import { choreCues, docsCues, testCues } from './support-cues.ts'

/** To add an intent, add its name to `intents.ts`, a table, and a line here. */
export const INTENT_CUES: Readonly<Record<Intent, CueTable>> = {
  web_app: webAppCues,
  api: apiCues,
  mobile: mobileCues,
  script: scriptCues,
  data: dataCues,
  devops: devopsCues,
  feature: featureCues,
  bug_fix: bugFixCues,
  refactor: refactorCues,
  performance: performanceCues,
  test: testCues,
  docs: docsCues,
  chore: choreCues,
  security_review: securityReviewCues,
  code_review: codeReviewCues,
  analysis: analysisCues,
  research: researchCues,
  planning: planningCues,
  question: questionCues,
  other: otherCues,
}
