import type { ParsedRecord } from '../../audit/index.ts'
import type { LoadedPolicy } from '../../policy/index.ts'
import type { AuditRecord } from '../../store/index.ts'
import type { DashboardStatus, DecisionDetail, JudgeReply, JudgeRequest, VerificationState } from './api.ts'

/** A project with its policy in force. */
export interface ProjectPolicy {
  readonly root: string
  readonly policy: LoadedPolicy
  /** active bypasses here, one line each */
  readonly activeBypasses: readonly string[]
}

/** What the dashboard needs from the program around it: the functions behind `status`, `check` and `explain`. */
export interface DashboardBackend {
  /** the folder `signalbox ui` ran in, or the home folder */
  readonly folder: string
  /** the project `signalbox ui` ran in; undefined without a policy and repository */
  readonly startFolder: string | undefined
  /** throws if the policy cannot be loaded at all */
  open(root: string): ProjectPolicy
  situation(root: string, input: StatusInput): Pick<DashboardStatus, 'verdict' | 'agents'>
  readonly clients: DashboardStatus['clients']
  readonly server: DashboardStatus['server']
  /** the command in a terminal here: `signalbox`, or its path if it is not on the PATH */
  program(root: string): string
  /** explains the record as `signalbox explain N` does; `before`: the records that moved its gates */
  explain(found: ParsedRecord, before: EarlierGateMoves, root: string): Pick<DecisionDetail, 'explained' | 'why'>
  /** stores nothing; returns an error text for an invalid request */
  judge(request: JudgeRequest, root: string, found: RecordedDecision | undefined): Omit<JudgeReply, 'project'> | string
  /** the known result; `begins`: starts a proof if there is none */
  proof(root: string, how: { readonly begins: boolean }): VerificationState
}

export interface StatusInput {
  /** the latest records, oldest first */
  readonly records: readonly AuditRecord[]
  readonly problem?: string | undefined
  /** what is wrong with an audit log that can still be read */
  readonly broken?: string | undefined
}

/** Earlier records that moved the gates; `isWhole` is false if older ones were not searched. */
export interface EarlierGateMoves {
  readonly records: readonly AuditRecord[]
  readonly isWhole: boolean
}

export interface RecordedDecision {
  readonly found: ParsedRecord
  readonly before: EarlierGateMoves
}
