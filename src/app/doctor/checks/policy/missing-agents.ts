import type { DoctorCheck } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { findMissingAgents } from '../../missing-agents.ts'

/** Agents that denials suggest but that do not exist. */
export const missingAgentsCheck: DoctorCheck = {
  ids: ['AGENT-MISSING'],
  about: 'agents that gates send to',
  look: ({ agents, policy, root, folders: { home }, env, label }) =>
    policy.problems.length > 0
      ? []
      : findMissingAgents(agents, policy.program, { root, home, env }).map(
          ({ client, name, gate, file, isWritten }): DoctorFinding => ({
            ...{ id: 'AGENT-MISSING', weight: 'problem', client: client.id, file, cause: `agent ${name}` },
            cost: `"${gate}" sends ${client.title} to the agent \`${name}\`, and there is none: it cannot go on`,
            saw: 'is not there, nor in the project',
            fix: isWritten ? `signalbox init, which writes the agent \`${name}\`` : `write ${label(file)}`,
          }),
        ),
}
