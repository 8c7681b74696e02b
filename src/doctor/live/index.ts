import type { Case } from '../case.ts'
import { canaries } from './canary.ts'
import type { Proof } from './proof.ts'
import { rehearse, rehearsed } from './rehearse.ts'

export type { Proof } from './proof.ts'

export const LIVE_IDS = ['LIVE-LATE', 'LIVE-NO-ANSWER', 'LIVE-NOT-REFUSED', 'LIVE-NOT-ENFORCED']

/** First each command; then, where the person agrees, the agents themselves, one after the other. */
export async function proveAll(
  one: Case,
  mayRun: (titles: readonly string[]) => Promise<boolean>,
): Promise<readonly Proof[]> {
  const commands = await canaries(one)
  const agents = rehearsed(one)
  const isAgreed = agents.length > 0 && (await mayRun(agents.map(({ client }) => client.title)))
  const proofs: Proof[] = []
  for (const agent of isAgreed ? agents : []) proofs.push(await rehearse(agent, one))
  const unable = one.agents
    .filter(({ checkup, hooks }) => checkup.unrehearsed !== undefined && hooks.some(({ ours }) => ours))
    .map(({ client, checkup: { unrehearsed: why } }): Proof => {
      return {
        kind: 'agent',
        client: client.id,
        title: client.title,
        ms: 0,
        verdict: 'unproven',
        ...(why !== undefined && { why }),
      }
    })
  return [...commands, ...proofs, ...unable]
}
