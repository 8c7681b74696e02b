import { type Client, clientById } from '../../clients/index.ts'
import type { TestStepDoc } from '../../policy/parse/policy-tests.ts'
import { simulatePayload } from './simulate-payload.ts'
import type { SimulationResult, Simulator } from './simulator.ts'

/** One played step of a test. A payload of some clients decodes to several events. */
export interface PlayedStep {
  readonly client: Client
  readonly env: Readonly<Record<string, string>>
  readonly played: readonly SimulationResult[]
  /** the result that determines the client's reply */
  readonly answer: SimulationResult | undefined
  /** what the client does not report */
  readonly notes: readonly string[]
}

/** Plays one step of a test. A payload file must have been read before. */
export function playStep(
  step: TestStepDoc,
  stage: Simulator,
  env: NonNullable<TestStepDoc['env']>,
): PlayedStep | { readonly problem: string } {
  const { root, home } = stage.setting
  const client = (step.client === undefined ? undefined : clientById(step.client)) ?? stage.setting.client
  if (step.wait !== undefined) stage.wait(step.wait)
  const cast = simulatePayload(step, { root, home, client })
  if ('problem' in cast) return cast
  const vars = Object.fromEntries(Object.entries({ ...env, ...step.env }).map(([name, value]) => [name, String(value)]))
  const played: SimulationResult[] = []
  for (const event of cast.events) {
    const done = stage.play(event, vars, client)
    played.push(done)
    if (event.kind === 'tool.before' && done.result.outcome.decision === 'deny') break
  }
  // If a payload has several events, the reply is that of the first event that does not pass.
  const answer = played.find(({ result }) => result.outcome.decision !== 'pass') ?? played[0]
  return { client, env: vars, played, answer, notes: cast.notes }
}
