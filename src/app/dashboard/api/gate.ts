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
  /** null: the gate is no longer in this policy, or belongs to another project */
  readonly mode: Exclude<Mode, 'off'> | null
  readonly about?: string
  readonly scope?: 'session' | 'agent' | 'project'
  /** null: the gate has no state */
  readonly initial: GateState | null
  /** file and line */
  readonly at?: string
  readonly rules: number
  readonly routes: number
  /** the number of live sessions of this project in each state */
  readonly live: { readonly open: number; readonly closed: number }
  readonly numbers: GateStatistics
}

export interface GateDetail {
  readonly project: string
  readonly card: GateCard
  /** its states, the initial one first; empty if the gate has no state or is not in this policy */
  readonly states: readonly GateStateLines[]
  readonly rules: readonly GateRule[]
  readonly moves: readonly GateTransition[]
  /** its state in every live session of this project that has one */
  readonly live: readonly LiveGateState[]
  /** decisions the gate took part in, newest first; more with `GET /api/decisions?gate=…` */
  readonly history: DecisionPage
  readonly stops: readonly AgentStop[]
  /** null: the gate already blocks, or is not in this policy */
  readonly next: NextGateMode | null
}

export interface GateStateLines {
  readonly state: GateState
  /** what the rules of this state do, a line each */
  readonly lines: readonly string[]
}

export interface GateRule {
  readonly id: string
  readonly kind: 'rule' | 'route'
  readonly decision: string
  readonly while?: GateState
  /** the condition in words */
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
  /** when the state last changed; null if never */
  readonly changedAt: number | null
  readonly seenAt: number
  readonly operations: number
}

/** What the gate would do one mode up: observe → warn → block. */
export interface NextGateMode {
  readonly mode: 'warn' | 'block'
  readonly since: number
  /** events in the period that it would deny, ask about, or warn of */
  readonly wouldDeny: number
  readonly wouldAsk: number
  readonly wouldWarn: number
  readonly text: string
}
