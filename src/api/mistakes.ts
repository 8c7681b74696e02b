import { clients } from '../clients/index.ts'
import type { Gate } from '../engine/index.ts'
import { didYouMean } from '../policy/index.ts'

/** Throws for an option that does not exist: JavaScript would ignore it, and a test would prove less than it says. */
export function requireKnownOptions(options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError('signalbox: the options must be an object')
  const unknown = Object.keys(options).find(name => !known.includes(name))
  if (unknown === undefined) return
  const help = didYouMean(unknown, known) ?? `one of ${known.join(', ')}`
  throw new TypeError(`signalbox: unknown option \`${unknown}\`; ${help}`)
}

export function unknownClient(id: string): TypeError {
  const ids = clients.map(client => client.id)
  return new TypeError(`signalbox: unknown client \`${id}\`; ${didYouMean(id, ids) ?? `one of ${ids.join(', ')}`}`)
}

/** The error text for a gate name that is not in the policy. */
export function unknownGate(name: string, gates: readonly Gate[], what = 'gate'): string {
  const known = gates.filter(({ layer }) => layer !== 'built-in').map(gate => gate.name)
  return [`unknown ${what} \`${name}\``, didYouMean(name, known) ?? []].flat().join('; ')
}
