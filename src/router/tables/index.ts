import type { Intent } from '../intents.ts'
import type { CueTable } from './cues.ts'
import { bugFixCues, performanceCues, refactorCues } from './keeping.ts'
import {
  analysisCues,
  codeReviewCues,
  otherCues,
  planningCues,
  questionCues,
  researchCues,
  securityReviewCues,
} from './looking.ts'
import { apiCues, featureCues, mobileCues, scriptCues, webAppCues } from './making.ts'
import { dataCues, devopsCues } from './running.ts'
import { choreCues, docsCues, testCues } from './tending.ts'

/** A new intent is its name in `intents.ts`, a table, and a line here. */
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
