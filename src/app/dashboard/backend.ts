import type { ParsedRecord } from '../../audit/index.ts'
import type { LoadedPolicy } from '../../policy/index.ts'
import type { AuditRecord } from '../../store/index.ts'
import type { DashboardStatus, DecisionDetail, JudgeReply, JudgeRequest, VerificationState } from './api.ts'

/** A project with its policy in force. */
export interface ProjectPolicy {
  readonly root: string
  readonly policy: LoadedPolicy
  /** what a person has lifted here, one line each */
  readonly lifted: readonly string[]
}

/** What the dashboard asks of the program around it: what `status`, `check` and `explain` know. */
export interface DashboardBackend {
  /** where `signalbox ui` was said, or the home folder */
  readonly folder: string
  /** the project that `signalbox ui` was said in; undefined where that was none: no policy, no repository */
  readonly saidIn: string | undefined
  /** throws where it cannot be loaded at all */
  open(root: string): ProjectPolicy
  situation(root: string, told: StatusInput): Pick<DashboardStatus, 'verdict' | 'agents'>
  readonly clients: DashboardStatus['clients']
  readonly server: DashboardStatus['server']
  /** how the program is called from a terminal here: `signalbox`, or a path where that word is not heard */
  program(root: string): string
  /** the record as `signalbox explain N` explains it; `before`: what moved its gates */
  explain(found: ParsedRecord, before: RecordedPast, root: string): Pick<DecisionDetail, 'explained' | 'why'>
  /** nothing is stored; a problem in one line where the request is none */
  judge(request: JudgeRequest, root: string, found: RecordedDecision | undefined): Omit<JudgeReply, 'project'> | string
  /** as far as it is known; `begins`: is it to be made, where it is not */
  proof(root: string, how: { readonly begins: boolean }): VerificationState
}

export interface StatusInput {
  /** the latest of the trail, oldest first */
  readonly records: readonly AuditRecord[]
  readonly problem?: string | undefined
  /** what is wrong with the trail, though it can be read */
  readonly broken?: string | undefined
}

/** What was recorded before: see `recollect`. */
export interface RecordedPast {
  readonly records: readonly AuditRecord[]
  readonly isWhole: boolean
}

export interface RecordedDecision {
  readonly found: ParsedRecord
  readonly before: RecordedPast
}
