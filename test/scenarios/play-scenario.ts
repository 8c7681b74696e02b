import { stringify } from 'yaml'
import type { Reply } from '../../src/clients/index.ts'
import { isObject } from '../../src/lib/json.ts'
import { understood } from '../support/clients/replies.ts'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'
import { payloadOf, type Scenario, type Step, type Words } from './scenario.ts'

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
