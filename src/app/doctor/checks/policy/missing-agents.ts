import type { DoctorCheck } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { findMissingAgents, missingAgentText } from '../../missing-agents.ts'

/** Agents that denials suggest but that do not exist. */
export const missingAgentsCheck: DoctorCheck = {
  ids: ['AGENT-MISSING'],
  about: 'agents that gates send to',
  look: ({ agents, policy, root, folders: { home }, env, label }) =>
    policy.problems.length > 0
      ? []
      : findMissingAgents(agents, policy.program, { root, home, env }).map((missing): DoctorFinding => {
          const { client, name, file, isWritten } = missing
          return {
            ...{ id: 'AGENT-MISSING', weight: 'problem', client: client.id, file, cause: `agent ${name}` },
            cost: missingAgentText(missing),
            saw: 'is not there, nor in the project',
            fix: isWritten ? `signalbox init, which writes the agent \`${name}\`` : `write ${label(file)}`,
          }
        }),
}
