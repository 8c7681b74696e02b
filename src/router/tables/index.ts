import type { Intent } from '../intents.ts'
import type { Cues } from './cues.ts'
import { bug_fix, performance, refactor } from './keeping.ts'
import { analysis, code_review, other, planning, question, research, security_review } from './looking.ts'
import { api, feature, mobile, script, web_app } from './making.ts'
import { data, devops } from './running.ts'
import { chore, docs, test } from './tending.ts'

/** A new intent is its name in `intents.ts`, a table, and a line here. */
export const TABLES: Readonly<Record<Intent, Cues>> = {
  web_app,
  api,
  mobile,
  script,
  data,
  devops,
  feature,
  bug_fix,
  refactor,
  performance,
  test,
  docs,
  chore,
  security_review,
  code_review,
  analysis,
  research,
  planning,
  question,
  other,
}
