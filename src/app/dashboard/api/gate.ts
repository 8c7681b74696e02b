import type { RuleRow } from '../../../audit/stats/index.ts'
import type { GateState, Layer, Mode } from '../../../engine/index.ts'
import type { DecisionPage } from './decision.ts'
import type { AgentStop, GateStatistics } from './overview.ts'

export interface GateList {
  readonly project: string
  readonly gates: readonly GateCard[]
  readonly problem?: string
}

export interface GateCard {
  readonly id: string
  readonly name: string
  readonly layer: Layer
  /** null: it is not in the policy here any more, or in that of another project */
  readonly mode: Exclude<Mode, 'off'> | null
  readonly about?: string
  readonly scope?: 'session' | 'agent' | 'project'
  /** null: it has no state */
  readonly initial: GateState | null
  /** file and line */
  readonly at?: string
  readonly rules: number
  readonly routes: number
  /** live sessions of this project in which it is in this state */
  readonly live: { readonly open: number; readonly closed: number }
  readonly numbers: GateStatistics
}

export interface GateDetail {
  readonly project: string
  readonly card: GateCard
  /** its states and what moves it, for mermaid; '' where the gate is not in the policy here */
  readonly mermaid: string
  readonly rules: readonly GateRule[]
  readonly moves: readonly GateTransition[]
  /** the state it is in, in every live session of this project that knows of it */
  readonly live: readonly LiveGateState[]
  /** decisions it had a part in, newest first; more by `GET /api/decisions?gate=…` */
  readonly history: DecisionPage
  readonly stops: readonly AgentStop[]
  /** null: it blocks already, or is not in the policy here */
  readonly next: NextGateMode | null
}

export interface GateRule {
  readonly id: string
  readonly kind: 'rule' | 'route'
  readonly says: string
  readonly while?: GateState
  /** its condition in words */
  readonly when: string
  readonly unless?: string
  readonly at?: string
  readonly numbers?: RuleRow
}

export interface GateTransition {
  readonly id: string
  readonly from: readonly GateState[]
  readonly to: GateState
  readonly when: string
  readonly at?: string
}

export interface LiveGateState {
  readonly client: string
  readonly session: string
  readonly caller?: string
  readonly state: GateState
  /** when it last changed; null: it never did */
  readonly changedAt: number | null
  readonly seenAt: number
  readonly operations: number
}

/** What the gate would do one step up: observe → warn → block. */
export interface NextGateMode {
  readonly mode: 'warn' | 'block'
  readonly since: number
  /** events in the period that it would refuse, ask about, or warn of */
  readonly wouldDeny: number
  readonly wouldAsk: number
  readonly wouldWarn: number
  readonly says: string
}
