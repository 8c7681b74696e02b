import type { RecordFilter } from '../../../../audit/index.ts'
import { EVENT_KINDS } from '../../../../engine/index.ts'
import { didYouMean } from '../../../../policy/index.ts'
import type { Terminal } from '../../command.ts'
import { openProject } from '../../project.ts'

/** Lines for names in the filter that nothing here has. Not an error: the records of an earlier policy may have them. */
export function noMatchHints({ gate = [], event = [] }: RecordFilter, terminal: Terminal): string {
  const kinds: readonly string[] = EVENT_KINDS
  const events = event
    .filter(name => !kinds.includes(name))
    .map(name => `There is no event \`${name}\`; ${didYouMean(name, kinds) ?? `there are ${kinds.join(', ')}`}\n`)
  if (gate.length === 0) return events.join('')
  const { gates } = openProject(terminal, { stores: false }).policy.program
  const known = [...gates.flatMap(({ id, name }) => [id, name])]
  const own = [...new Set(gates.filter(({ layer }) => layer !== 'built-in').map(({ name }) => name))]
  const others = own.length > 0 ? `; it has ${own.slice(0, 8).join(', ')}` : ''
  const strangers = gate
    .filter(name => !known.includes(name) && !name.startsWith('hook:'))
    .map(name => {
      const guess = didYouMean(
        name,
        gates.map(item => item.name),
      )
      return `The policy here has no gate \`${name}\`${guess ? `; ${guess}` : others}\n`
    })
  return [...events, ...strangers].join('')
}
