import type { Client } from '../../../../clients/index.ts'
import { findInstalledAgents, type InstalledAgent, unloadedFilesOf } from '../../../doctor/index.ts'
import { type CanaryResult, type InitOptions, type InstallPaths, runCanary } from '../../../install/index.ts'
import type { Terminal } from '../../command.ts'
import { openProject } from '../../project.ts'
import { findHindrance } from '../status/agent-states.ts'
import { type CanaryOutcome, enforcementStateOf } from './init-text.ts'

/** Runs the canary of each chosen client. A client without a registration file has no outcome. */
export async function runCanaries(
  { clients: chosen, scope }: InitOptions,
  paths: InstallPaths,
  terminal: Terminal,
): Promise<readonly CanaryOutcome[]> {
  const where = { root: openProject(terminal).root, home: paths.home, env: paths.env }
  const agents = findInstalledAgents(where)
  const outcomes: CanaryOutcome[] = []
  for (const client of chosen as readonly Client[]) {
    const probed = await runCanary(client, scope, paths)
    const agent = agents.find(installedAgent => installedAgent.client.id === client.id)
    if (probed)
      outcomes.push({ ...withLoadProblem(probed, agent), disabledReason: agent && findHindrance(agent, where) })
  }
  return outcomes
}

/** The hook denies, but the agent does not load the file because of another error in it. */
function withLoadProblem(probed: CanaryResult, agent: InstalledAgent | undefined): CanaryResult {
  if (!probed.denied) return probed
  const fault = agent && unloadedFilesOf(agent).get(probed.file)
  if (!fault) return probed
  const line = fault.line === undefined ? '' : `line ${fault.line}: `
  return { ...probed, denied: false, why: `the agent does not load that file: ${line}${fault.found}` }
}

export const isCanaryBroken = (outcome: CanaryOutcome): boolean => enforcementStateOf(outcome) === 'broken'
