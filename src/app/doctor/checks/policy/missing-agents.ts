import type { DoctorCheck } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { findMissingAgents, missingAgentText } from '../../missing-agents.ts'

/** Agents that denials suggest but that do not exist. */
export const missingAgentsCheck: DoctorCheck = {
  ids: ['AGENT-MISSING'],
  about: 'agents that gates delegate to',
  look: ({ agents, policy, root, folders: { home }, env, label }) =>
    policy.problems.length > 0
      ? []
      : findMissingAgents(agents, policy.program, { root, home, env }).map((missing): DoctorFinding => {
          const { client, name, file, isWritten } = missing
          return {
            ...{ id: 'AGENT-MISSING', severity: 'problem', client: client.id, file, cause: `agent ${name}` },
            effect: missingAgentText(missing),
            found: 'does not exist here or in the project',
            fix: isWritten ? `signalbox init, which writes the agent \`${name}\`` : `write ${label(file)}`,
          }
        }),
}
