import { type Check, oursOf } from '../case.ts'
import type { Finding } from '../finding.ts'
import { isBefore } from '../is-before.ts'

/** Agents too old to tell who calls. */
export const versions: Check = {
  ids: ['CLIENT-OLD'],
  about: 'versions of the agents',
  look: ({ agents, versionOf }) =>
    agents.flatMap((agent): readonly Finding[] => {
      const { client, checkup, program } = agent
      const { callersSince: since } = checkup
      if (since === undefined || program === undefined || oursOf(agent).length === 0) return []
      const version = versionOf(program)
      if (version === undefined || !isBefore(version, since)) return []
      return [
        {
          ...{ id: 'CLIENT-OLD', weight: 'problem', client: client.id, file: program },
          cost: 'calls of a subagent look like calls of the main session',
          saw: `${client.title} ${version} does not tell who calls; ${since} does`,
          fix: `update ${client.title} to ${since} or later`,
        },
      ]
    }),
}
