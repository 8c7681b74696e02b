import { type Check, gatesOf, oursOf } from '../case.ts'
import type { Finding } from '../finding.ts'

/** Hooks of the person's own beside ours: each answers for itself, and none is in the audit trail. */
export const others: Check = {
  ids: ['OTHER-HOOKS'],
  about: 'other hooks on the same events',
  look: ({ agents }) =>
    agents.flatMap((agent): readonly Finding[] => {
      const { client, hooks } = agent
      const events = new Set(oursOf(agent).map(({ event }) => event))
      const beside = hooks.filter(one => !one.ours && events.has(one.event))
      const [first] = beside
      if (!first || gatesOf(agent).length === 0) return []
      const names = [...new Set(beside.map(({ event, command, type }) => `${event}: ${cut(command || type)}`))]
      return [
        {
          ...{ id: 'OTHER-HOOKS', weight: 'note', client: client.id, file: first.file, line: first.line },
          cost: 'they answer beside Signalbox, and are not in the audit trail',
          saw: `${names.slice(0, 3).join('; ')}${names.length > 3 ? `; and ${names.length - 3} more` : ''}`,
          fix: `signalbox init --client ${client.id} --adopt`,
        },
      ]
    }),
}

const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text)
