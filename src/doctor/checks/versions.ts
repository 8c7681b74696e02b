import { type Check, oursOf } from '../case.ts'
import type { Finding } from '../finding.ts'

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

/** By numbers, part by part. */
export function isBefore(version: string, since: string): boolean {
  const [a, b] = [version, since].map(one => one.split('.').map(part => Number.parseInt(part, 10) || 0))
  for (let nth = 0; nth < 3; nth++) {
    const [left = 0, right = 0] = [a?.[nth], b?.[nth]]
    if (left !== right) return left < right
  }
  return false
}
