import type { DoctorContext } from '../context.ts'
import { agentsForLiveRun, runAgentLive } from './agent-run.ts'
import { runCommandCanaries } from './command-canary.ts'
import type { LiveProof } from './live-proof.ts'

export type { LiveProof } from './live-proof.ts'

export const LIVE_FINDING_IDS = ['LIVE-LATE', 'LIVE-NO-ANSWER', 'LIVE-NOT-DENIED', 'LIVE-NOT-ENFORCED']

/** Tests each registered command; then, if the user agrees, the agents themselves, one after the other. */
export async function runLiveProofs(
  context: DoctorContext,
  mayRun: (titles: readonly string[]) => Promise<boolean>,
): Promise<readonly LiveProof[]> {
  const commands = await runCommandCanaries(context)
  const agents = agentsForLiveRun(context)
  const isAgreed = agents.length > 0 && (await mayRun(agents.map(({ client }) => client.title)))
  const proofs: LiveProof[] = []
  for (const agent of isAgreed ? agents : []) proofs.push(await runAgentLive(agent, context))
  const unable = context.agents
    .filter(({ checkup, hooks }) => checkup.noHeadlessRunReason !== undefined && hooks.some(({ ours }) => ours))
    .map(({ client, checkup: { noHeadlessRunReason: why } }): LiveProof => {
      return {
        kind: 'agent',
        client: client.id,
        title: client.title,
        ms: 0,
        verdict: 'unverified',
        ...(why !== undefined && { why }),
      }
    })
  return [...commands, ...proofs, ...unable]
}
