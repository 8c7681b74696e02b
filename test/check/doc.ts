/** A policy as the generator writes it: the part of the language that the simulator knows. */
export interface Doc {
  readonly gates: Readonly<Record<string, GateDoc>>
}

export interface GateDoc {
  readonly mode?: 'block' | 'warn'
  readonly initial?: State
  readonly scope?: Scope
  readonly opens?: 'human'
  /** what one operation is */
  readonly counts?: When
  readonly transitions?: readonly TransitionDoc[]
  readonly rules?: readonly RuleDoc[]
}

export interface TransitionDoc {
  readonly id: string
  readonly from: State
  readonly to: State
  /** without an event it belongs to the clock */
  readonly when: When
}

export interface RuleDoc {
  readonly id: string
  readonly while?: State
  readonly when: When
  readonly unless?: When
  readonly then: 'deny' | 'ask' | 'warn'
  readonly message: string
  readonly limit?: number
  /** a command, or an agent to spawn */
  readonly suggest?: string | { readonly agent: string }
}

export type State = 'open' | 'closed'
export type Scope = 'session' | 'agent' | 'project'
export type List = string | readonly string[]
export type Mark = 'opened' | 'closed' | 'changed'
export type Unit = 'operations' | 'turns' | 'seconds'

export interface When {
  readonly event?: string
  readonly command?: List
  readonly action?: List
  readonly path?: string
  readonly agent?: List
  readonly caller?: List
  readonly succeeded?: boolean
  readonly gate?: Readonly<Record<string, State>>
  readonly since?: Readonly<Partial<Record<Mark, Readonly<Partial<Record<Unit, number>>>>>>
  readonly tool?: string
  /** variables of the environment */
  readonly env?: Readonly<Record<string, string>>
  /** what nothing is: a variable that is not set, once that is known */
  readonly never?: true
  readonly any?: readonly When[]
  readonly not?: When
}

/** What a client can be told. */
export interface Profile {
  readonly asks: boolean
  readonly stopsAgents: boolean
  /** tools whose calls it does not tell of */
  readonly untold: readonly string[]
}

export const listOf = (list: List): readonly string[] => (typeof list === 'string' ? [list] : list)

/** A condition and all that is nested in it. */
export const partsOf = (when: When): readonly When[] => [
  when,
  ...(when.any ?? []).flatMap(partsOf),
  ...(when.not ? partsOf(when.not) : []),
]

export const conditionsOf = ({ transitions = [], rules = [], counts }: GateDoc): readonly When[] =>
  [
    ...transitions.map(one => one.when),
    ...(counts ? [counts] : []),
    ...rules.flatMap(({ when, unless }) => [when, ...(unless ? [unless] : [])]),
  ].flatMap(partsOf)
