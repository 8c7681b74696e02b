import { adoptingById } from '../../clients/adopts.ts'
import { adopt } from '../../install/index.ts'
import { checkRegex } from '../../runtime/regex.ts'
import { type Agent, type Check, gatesOf, oursOf, type Registration } from '../case.ts'
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
          fix: adoptOf(agent, beside, agents),
        },
      ]
    }),
}

/** Only where it would take one of them: a hook that stays would be told for ever. */
function adoptOf({ client, files }: Agent, beside: readonly Registration[], agents: readonly Agent[]): string {
  const adopting = adoptingById(client.id)
  const isShared = (path: string): boolean =>
    agents.some(one => Object.values(adoptingById(one.client.id)?.borrows ?? {}).some(names => names.includes(path)))
  const taken = files.find(
    ({ file, path, scope, text }) =>
      adopting &&
      scope !== 'managed' &&
      beside.some(one => one.file === file && one.plugin === undefined) &&
      !isShared(path) &&
      adopt(text, adopting, { regexFault: checkRegex }).taken.length > 0,
  )
  if (!taken) return 'none: no policy can say what they do, so they stay where they are'
  return `signalbox init --client ${client.id}${taken.scope === 'project' ? ' --scope project' : ''} --adopt`
}

const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text)
