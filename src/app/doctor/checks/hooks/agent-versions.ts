import { type DoctorCheck, ownHooksOf } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { isOlderVersion } from '../../read/compare-versions.ts'

/** Agents that are too old to report the caller. */
export const agentVersionsCheck: DoctorCheck = {
  ids: ['CLIENT-OLD'],
  about: 'versions of the agents',
  look: ({ agents, versionOf }) =>
    agents.flatMap((agent): readonly DoctorFinding[] => {
      const { client, checkup, program } = agent
      const { callersSince: since } = checkup
      if (since === undefined || program === undefined || ownHooksOf(agent).length === 0) return []
      const version = versionOf(program)
      if (version === undefined || !isOlderVersion(version, since)) return []
      return [
        {
          ...{ id: 'CLIENT-OLD', severity: 'problem', client: client.id, file: program },
          effect: 'calls of a subagent look like calls of the main session',
          found: `${client.title} ${version} does not report which agent makes a call; ${since} does`,
          fix: `update ${client.title} to ${since} or later`,
        },
      ]
    }),
}
