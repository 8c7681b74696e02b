import type { Gate } from '../engine/index.ts'
import { didYouMean } from '../policy/index.ts'

/** The error text for a gate name that is not in the policy. */
export function unknownGate(name: string, gates: readonly Gate[], what = 'gate'): string {
  const known = gates.filter(({ layer }) => layer !== 'built-in').map(gate => gate.name)
  return [`unknown ${what} \`${name}\``, didYouMean(name, known) ?? []].flat().join('; ')
}
