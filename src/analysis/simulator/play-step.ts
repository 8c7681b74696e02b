import { type Client, clientById } from '../../clients/index.ts'
import type { TestStepDoc } from '../../policy/parse/policy-tests.ts'
import { simulatePayload } from './simulate-payload.ts'
import type { SimulatedSessions } from './simulated-sessions.ts'
import { isDeniedCall, type PlayedEvent } from './simulator.ts'

/** One played step of a test. A payload of some clients decodes to several events. */
export interface PlayedStep {
  readonly client: Client
  readonly env: Readonly<Record<string, string>>
  readonly played: readonly PlayedEvent[]
  /** the result that determines the client's reply */
  readonly answer: PlayedEvent | undefined
  /** what the client does not report */
  readonly notes: readonly string[]
}

/** What a test says about the repository and the session, by the names of the conditions' fields. */
export const factsGiven = ({
  git,
  model,
  permissions,
}: Pick<TestStepDoc, 'git' | 'model' | 'permissions'>): Readonly<Record<string, string>> => ({
  ...(git?.branch !== undefined && { 'git.branch': git.branch }),
  ...(git?.remote !== undefined && { 'git.remote': git.remote }),
  ...(model !== undefined && { 'session.model': model }),
  ...(permissions !== undefined && { 'session.permissions': permissions }),
})

/** Plays one step of a test. A payload file must have been read before. */
export function playStep(
  step: TestStepDoc,
  sessions: SimulatedSessions,
  env: NonNullable<TestStepDoc['env']>,
): PlayedStep | { readonly problem: string } {
  const { root, home } = sessions.options
  const client = (step.client === undefined ? undefined : clientById(step.client)) ?? sessions.options.client
  if (step.time !== undefined) sessions.now = Date.parse(step.time)
  if (step.wait !== undefined) sessions.wait(step.wait)
  const simulated = simulatePayload(step, { root, home, client })
  if ('problem' in simulated) return simulated
  const given = { ...env, ...step.env, ...factsGiven(step) }
  const vars = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  const played: PlayedEvent[] = []
  for (const event of simulated.events) {
    const done = sessions.simulatorFor(event, client).play(event, { env: vars })
    played.push(done)
    if (isDeniedCall(done)) break
  }
  // If a payload has several events, the reply is that of the first event that does not pass.
  const answer = played.find(({ outcome }) => outcome.decision !== 'pass') ?? played[0]
  return { client, env: vars, played, answer, notes: simulated.notes }
}
