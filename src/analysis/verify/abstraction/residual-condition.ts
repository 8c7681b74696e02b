import {
  type Action,
  actionsOf,
  type Condition,
  type Event,
  type EventKind,
  type Quantifier,
  type Regex,
} from '../../../engine/index.ts'
import { type Atom, isStateDependent } from './condition-atoms.ts'
import { EVENT_LEVEL_KEYS, FALSE_BIT, type MayMustEvaluator, mayHaveFile, TRUE_BIT } from './may-must-evaluator.ts'

/** An event in the shorthand of policy tests. */
export type ShorthandEvent = Readonly<Record<string, unknown>>

/** A call that represents all calls for which every condition has the same value. */
export interface SampleCall {
  readonly shorthand: ShorthandEvent
  /** its `tool.before` event with the main agent as caller */
  readonly beforeEvent: Event
  readonly isApproved: boolean
  /** wrapped in `signalbox run`, which attests the exit status */
  readonly isAttested: boolean
  /** type of the agent that the call spawns */
  readonly spawns?: string
}

const CALL_EVENTS: readonly EventKind[] = ['tool.before', 'permission.request', 'tool.after', 'tool.failed']

/**
 * Partial evaluation: the part of a condition that is left once the action of a call is known. The residue is a truth value, or a
 * formula over what is still unknown (gate states, time, caller, exit status). Actions with the same residue are equivalent.
 */
export class ResidualConditions {
  readonly #mayMust: MayMustEvaluator
  readonly #names = new Map<Atom, string>()

  constructor(mayMust: MayMustEvaluator) {
    this.#mayMust = mayMust
  }

  of(condition: Condition, act: Action, call: SampleCall, quantifier: Quantifier): string {
    if ('all' in condition) return this.#junction(condition.all, act, call, quantifier, '&')
    if ('any' in condition) return this.#junction(condition.any, act, call, quantifier, '|')
    if ('not' in condition) {
      const inner = this.of(condition.not, act, call, quantifier === 'any' ? 'all' : 'any')
      return inner === 'T' ? 'F' : inner === 'F' ? 'T' : inner === 'U' ? 'U' : `!${inner}`
    }
    if ('with' in condition) return this.#residualOfOthers(condition.with, act, call, quantifier)
    return this.#residualOfAtom(condition, act, call, quantifier)
  }

  #junction(parts: readonly Condition[], act: Action, call: SampleCall, quantifier: Quantifier, by: '&' | '|'): string {
    return joinResidues(
      parts.map(part => () => this.of(part, act, call, quantifier)),
      by,
    )
  }

  #residualOfOthers(condition: Condition, act: Action, call: SampleCall, quantifier: Quantifier): string {
    const others = actionsOf(call.beforeEvent).filter(other => other !== act)
    const residue = joinResidues(
      others.map(other => () => this.of(condition, other, call, quantifier)),
      '|',
    )
    return residue === 'F' && act.opaque ? 'U' : residue
  }

  #residualOfAtom(atom: Atom, act: Action, call: SampleCall, quantifier: Quantifier): string {
    if (atom.key === 'event' && !atom.in.some(kind => CALL_EVENTS.includes(kind))) return 'F'
    if (atom.key === 'prompt' || atom.key === 'source') return 'F'
    if (atom.key === 'file' && !mayHaveFile(act)) return 'F'
    if (isStateDependent(atom)) return `${this.#nameOf(atom)}${templateOperand(atom, act, call)}`
    if (atom.key === 'succeeded') return `${this.#nameOf(atom)}${quantifier}${exitStatusKey(act)}`
    if (EVENT_LEVEL_KEYS.has(atom.key) || atom.key === 'approved') return this.#nameOf(atom)
    const answers = this.#mayMust.actionAtomTruthSet(atom, act, call.beforeEvent, quantifier)
    return answers === TRUE_BIT ? 'T' : answers === FALSE_BIT ? 'F' : 'U'
  }

  #nameOf(atom: Atom): string {
    const other = this.#mayMust.canonicalAtom(atom)
    const name = this.#names.get(other) ?? `${other.key}${this.#names.size}`
    this.#names.set(other, name)
    return name
  }
}

/** False absorbs a conjunction, true a disjunction. Neutral parts are left out. */
function joinResidues(parts: readonly (() => string)[], by: '&' | '|'): string {
  const [wins, idle] = by === '&' ? ['F', 'T'] : ['T', 'F']
  const left = new Set<string>()
  for (const part of parts) {
    const residue = part()
    if (residue === wins) return wins
    if (residue !== idle) left.add(residue)
  }
  const [first = idle, ...more] = [...left].sort()
  return more.length === 0 ? first : `(${[first, ...more].join(by)})`
}

/** The part of the call that a placeholder will be compared with once it is filled in. */
function templateOperand({ key }: Atom, act: Action, { shorthand }: SampleCall): string {
  // what calls did to a file is not followed, so all files are alike
  if (key === 'gate' || key === 'captured' || key === 'since' || key === 'caller' || key === 'file') return ''
  return key === 'agent' ? `=${act.agent ?? ''}` : `=${JSON.stringify(shorthand)}`
}

/** What the exit status of the line proves about this action. */
const exitStatusKey = ({ action, opaque, implied, decides, elsewhere }: Action): string =>
  action === 'run' ? `${opaque}${implied}${decides}${elsewhere}` : `${opaque}`

export interface CallParser {
  readonly regex: Regex
  parseEvent(short: ShorthandEvent): Event | null
}
