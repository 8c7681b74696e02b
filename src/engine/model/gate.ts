import type { JsonObject } from '../../lib/json.ts'
import type { AllowList } from '../match/allow-list.ts'
import type { RouteIndex } from '../match/route-index.ts'
import type { FieldPattern } from '../match/text.ts'
import type { Condition } from './condition.ts'
import type { Suggestion } from './verdict.ts'
import type { EventKind, GateState, Layer } from './vocabulary.ts'

/** The compiled policy: plain JSON, made by `policy/`, read by `evaluate`. Only its regexes still need parsing. */
export interface Program {
  /** content hash of everything it was compiled from */
  readonly hash: string
  /** strongest layer first, then in order of appearance */
  readonly gates: readonly Gate[]
  /** `allow:` lists by layer, for `whitelisted` */
  readonly allow: readonly AllowList[]
  /** a condition asks whether files are there (`exists`), or what calls did to them (`known`) */
  readonly files?: { readonly exists?: boolean; readonly known?: boolean }
  /** shown at every session start: layers left out, loosenings that wait for trust */
  readonly notices: readonly string[]
}

export const MODES = ['off', 'observe', 'warn', 'block'] as const
export type Mode = (typeof MODES)[number]

/** One text, or one per client (`generic: …`) beside `default`. `{name}` is filled in when the text is rendered. */
export type ClientText = string | { readonly default: string; readonly [client: string]: string }

export interface Gate {
  /** `layer/name`: the key of its state */
  readonly id: string
  readonly name: string
  readonly layer: Layer
  readonly about?: string
  /** `off` gates are not in the program */
  readonly mode: Exclude<Mode, 'off'>
  /** absent: stateless */
  readonly initial?: GateState
  readonly scope: 'session' | 'agent' | 'project'
  readonly counts?: Condition
  readonly onError: 'open' | 'closed'
  readonly opens?: 'human'
  readonly yields: boolean
  readonly bypass?: { readonly when: Condition; readonly message?: ClientText }
  /** if these variables are set, `message` stands in front of every text of the gate */
  readonly debug?: { readonly env: readonly FieldPattern[]; readonly message: ClientText }
  readonly transitions: readonly Transition[]
  readonly rules: readonly Rule[]
  readonly routes?: RouteTable
  /** absolute path of a code gate's module */
  readonly code?: string
  /** file and line of the declaration, for explanations */
  readonly at?: string
}

export interface Transition {
  readonly id: string
  readonly from: readonly GateState[]
  readonly to: GateState
  /** time-based: the condition has no `event` at its top level */
  readonly clock: boolean
  /** event kinds that can make it match; empty for a time-based transition */
  readonly events: readonly EventKind[]
  readonly when: Condition
  readonly message?: ClientText
  readonly context?: ClientText
  readonly capture?: { readonly name: string; readonly schema: JsonObject }
  /** acts as a rule if the capture does not validate */
  readonly invalid?: { readonly then: RuleDecision; readonly message: ClientText }
  readonly at?: string
}

export type RuleDecision = 'deny' | 'ask' | 'allow' | 'warn'

export interface Rule {
  readonly id: string
  readonly while?: GateState
  /** event kinds that can make it match */
  readonly events: readonly EventKind[]
  readonly when: Condition
  readonly unless?: Condition
  readonly unsure: 'warn' | 'deny' | 'ask' | 'pass'
  readonly then: RuleDecision
  readonly message: ClientText
  readonly warning?: ClientText
  readonly context?: ClientText
  readonly suggest?: Suggestion
  readonly limit?: number
  readonly at?: string
}

/** Routes in order; the first match wins. With the index, ten thousand routes cost as much as ten. */
export interface RouteTable {
  readonly list: readonly Route[]
  readonly index: RouteIndex
}

/** An `allow` route lets its match through: later routes in the table are not checked. */
export interface Route extends Rule {
  readonly allow?: boolean
  /** the pattern as written */
  readonly pattern?: string
}
