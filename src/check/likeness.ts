import { actsOf, type Event, type Gate } from '../core/index.ts'
import { type Atom, atomsOfGate, isAboutState } from './atom.ts'
import type { Call } from './call.ts'
import { ABOUT_EVENT, type Oracle } from './possible.ts'
import { callerOf } from './telling.ts'

/** Which calls and which agents these gates cannot tell apart. */
export class Likeness {
  readonly #atoms: readonly Atom[]
  readonly #callers: readonly Atom[]
  readonly #agents: readonly Atom[]
  readonly #byName: boolean
  readonly #byText: boolean
  readonly #oracle: Oracle

  constructor(gates: Iterable<Gate>, oracle: Oracle) {
    const atoms = [...new Set([...gates].flatMap(atomsOfGate))]
    this.#oracle = oracle
    this.#atoms = atoms.filter(atom => !isAboutState(atom) && !ABOUT_EVENT.has(atom.key) && atom.key !== 'approved')
    this.#callers = atoms.filter(atom => atom.key === 'caller')
    this.#agents = atoms.filter(atom => atom.key === 'agent' && !isAboutState(atom))
    const filled = atoms.filter(atom => isAboutState(atom) && !['gate', 'captured', 'since'].includes(atom.key))
    this.#byName = filled.some(atom => atom.key === 'agent' || atom.key === 'caller')
    this.#byText = filled.some(atom => atom.key !== 'agent' && atom.key !== 'caller')
  }

  ofCall(call: Call): string {
    const { before, approved, witnessed, spawns } = call
    const acts = actsOf(before).map(act => {
      const answers = this.#atoms.map(
        atom => this.#oracle.ofAct(atom, act, before, 'any') * 8 + this.#oracle.ofAct(atom, act, before, 'all'),
      )
      const proof = act.action === 'run' ? `${act.implied}${act.decides}${act.elsewhere}` : ''
      return `${answers.join()} ${act.action === 'run'}${proof}${this.#byName ? act.agent : ''}`
    })
    const text = this.#byText ? JSON.stringify(call.short) : ''
    const started = spawns === undefined ? '' : this.ofAgent(spawns)
    return [approved, witnessed, started, [...new Set(acts)].sort().join(';'), text].join('|')
  }

  ofAgent(type: string): string {
    if (type === 'main') return type
    const event: Event = { ...STOP, caller: callerOf(type), agent: type }
    const act = { action: 'other' } as const
    const ask = (atom: Atom): number => this.#oracle.answers(atom, act, event, 'any')
    return `${[...this.#callers, ...this.#agents].map(ask).join()}${this.#byName ? type : ''}`
  }
}

const STOP: Event = { kind: 'agent.stop', client: 'proof', name: 'stops', session: 'proof', caller: { kind: 'main' } }

/** One of each kind; the first is the one that stands for the others. */
export function oneOfEach<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const found = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (!found.has(key)) found.set(key, item)
  }
  return [...found.values()]
}
