import { stringify } from 'yaml'
import type { Reply } from '../../src/clients/index.ts'
import { isObject, type JsonObject } from '../../src/lib/json.ts'
import { capture } from '../support/clients/captures.ts'
import { understood } from '../support/clients/replies.ts'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

/** A session of one client, event by event, through the real command. */
export interface Scenario {
  readonly name: string
  readonly client: string
  /** folder of recorded payloads that `from` names */
  readonly captures?: string
  readonly use: readonly unknown[]
  /** the rest of the project's policy */
  readonly policy?: object
  /** the person's policy */
  readonly user?: object
  readonly steps: readonly Step[]
}

type Words = string | readonly string[]

export interface Step {
  /** what happens, in words */
  readonly does: string
  /** a recorded payload, with other values under these keys; or the whole payload */
  readonly from?: string
  readonly with?: JsonObject
  readonly payload?: JsonObject
  /** ties the end of a call to its beginning, where the client has ids for calls */
  readonly call?: string
  readonly session?: string
  readonly env?: Record<string, string>
  /** Without any of these the step passes in silence. */
  readonly refused?: Words
  /** the agent hears it */
  readonly told?: Words
  /** the person sees it */
  readonly shown?: Words
  /** the protocol's own word for how far routing is */
  readonly status?: string
}

const STEP_KEYS = 'does from with payload call session env refused told shown status'.split(' ')

/** Every promise that was not kept, as a sentence. */
export function play(scenario: Scenario): Promise<readonly string[]> {
  const project = stringify({ use: scenario.use, ...scenario.policy })
  const user = scenario.user && stringify(scenario.user)
  return withSandbox({ project, user }, async sandbox => {
    const broken: string[] = []
    for (const [nth, step] of scenario.steps.entries()) {
      const wrong = await playStep(scenario, step, nth, sandbox)
      broken.push(...wrong.map(what => `${nth + 1} ${step.does}: ${what}`))
    }
    return broken
  })
}

async function playStep(scenario: Scenario, step: Step, nth: number, sandbox: Sandbox): Promise<readonly string[]> {
  const stray = Object.keys(step).filter(key => !STEP_KEYS.includes(key))
  if (stray.length > 0) return [`nobody reads ${stray}`]
  const payload = payloadOf(scenario, step, nth)
  const ran = await sandbox.hook(scenario.client, JSON.stringify(payload), step.env ? { env: step.env } : {})
  if (ran.exitCode !== 0 && ran.exitCode !== 2) return [`exit code ${ran.exitCode}`]
  const reply: Reply = { ...ran, exitCode: ran.exitCode, stdout: ran.stdout.trim() }
  return judge(step, reply, understood(scenario.client, reply, String(payload.hook_event_name)))
}

/** Recorded payloads share ids and times; here each event is one of its own. */
export function payloadOf({ captures, client }: Scenario, step: Step, nth: number): JsonObject {
  const recorded = step.from === undefined ? {} : capture(`${captures}/${step.from}`)
  const payload: JsonObject = { ...recorded, ...step.payload, ...step.with }
  const session = step.session ?? 'one'
  if (client === 'generic') return { ...payload, session_id: session, cwd: '/home/dev/proj' }
  return {
    ...payload,
    session_id: session,
    cwd: '/home/dev/proj',
    ...('tool_use_id' in payload && { tool_use_id: `toolu_${step.call ?? nth}` }),
    ...('prompt_id' in payload && { prompt_id: `prompt-${payload.hook_event_name === 'UserPromptSubmit' ? nth : 0}` }),
    ...('timestamp' in payload && { timestamp: new Date(Date.UTC(2026, 10, 15, 8, 0, 3 * nth)).toISOString() }),
  }
}

function judge(step: Step, reply: Reply, heard: ReturnType<typeof understood>): readonly string[] {
  const wrong: string[] = []
  const refused = heard.decision === 'deny' || heard.decision === 'ask'
  if (refused !== (step.refused !== undefined)) wrong.push(`${heard.decision} ${heard.reason}`)
  const has = (what: string, wanted: Words | undefined, text: string): void => {
    const missing = [wanted ?? []].flat().filter(part => !text.includes(part))
    wrong.push(...missing.map(part => `${what} without ${JSON.stringify(part)}: ${JSON.stringify(text)}`))
  }
  has('refused', step.refused, heard.reason)
  has('told', step.told, heard.context)
  has('shown', step.shown, heard.message)
  // where a client hides why a call was refused, the person is shown the same words
  const shown = refused && heard.message === heard.reason ? '' : heard.message
  if (step.told === undefined && step.shown === undefined && heard.context + shown !== '')
    wrong.push(`not silent: ${JSON.stringify({ context: heard.context, message: heard.message })}`)
  if (step.status !== undefined) {
    const words: unknown = JSON.parse(reply.stdout)
    const metadata = isObject(words) && isObject(words.metadata) ? words.metadata : {}
    if (metadata.routing_status !== step.status) wrong.push(`status ${metadata.routing_status}`)
  }
  return wrong
}
