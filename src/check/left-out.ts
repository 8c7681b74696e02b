import type { Gate } from '../core/index.ts'
import type { AtOnce } from './at-once.ts'
import type { Finding } from './finding.ts'
import type { Inquiry } from './inquiry.ts'

/** What may happen at once among these gates, is not tried, and may bring about what nothing else does. */
export const leftOut = (inquiry: Inquiry, gates: readonly Gate[], { shares, untried }: AtOnce): readonly Finding[] => {
  const stateful = gates.filter(gate => gate.initial !== undefined)
  return [
    ...(shares ? sessionsOf(inquiry, stateful) : []),
    ...(untried.length > 0 ? [more(inquiry, stateful, untried)] : []),
  ]
}

const namesOf = (gates: readonly Gate[]): string => gates.map(gate => gate.name).join(', ')

/** Sessions were tried one after the other. What each keeps for itself may matter to what they share. */
function sessionsOf({ view }: Inquiry, gates: readonly Gate[]): readonly Finding[] {
  const names = namesOf(gates.filter(gate => gate.scope === 'project'))
  const own = gates.filter(gate => gate.scope !== 'project')
  if (own.length === 0) return []
  return [
    {
      kind: 'deadlock',
      what: `two sessions at once may close ${names} for each other`,
      ...{ on: view.clients, story: [], fix: [], atOnce: true },
      why: `they share ${names}, and each has ${namesOf(own)} of its own`,
      doubt: 'sessions were tried one after the other only',
    },
  ]
}

const more = ({ view }: Inquiry, gates: readonly Gate[], untried: readonly string[]): Finding => ({
  kind: 'deadlock',
  what: `several things at once may close ${namesOf(gates)} with no way left`,
  ...{ on: view.clients, story: [], fix: [], atOnce: true },
  why: 'what closes one gate is refused while another is closed, and at once both can be',
  doubt: untried.join('; '),
})
