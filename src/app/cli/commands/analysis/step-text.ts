import type { Transition } from '../../../../engine/index.ts'

const END_EVENTS: ReadonlySet<string> = new Set(['tool.after', 'tool.failed', 'agent.stop'])
const RESULT_TEXTS: Readonly<Record<string, string>> = { succeeded: 'that succeeds', failed: 'that fails' }

/**
 * Describes the steps that were played for a transition that waits for the end of a call or of an agent. Its condition may
 * name several ways, of which only one was tried. Undefined for other transitions.
 */
export function describeSteps(
  steps: readonly Readonly<Record<string, unknown>>[],
  { clock, events }: Pick<Transition, 'clock' | 'events'>,
): string | undefined {
  if (clock || events.length === 0 || !events.every(kind => END_EVENTS.has(kind))) return undefined
  const call = steps.find(step => typeof step.shell === 'string' && typeof step.after === 'string')
  if (call) {
    const how =
      typeof call.signed === 'object'
        ? JSON.stringify(call.signed).endsWith(':0}')
          ? 'succeeded'
          : 'failed'
        : String(call.after)
    const output = typeof call.output === 'string' ? ` and prints \`${call.output}\`` : ''
    return RESULT_TEXTS[how]
      ? `\`${call.shell}\` ${RESULT_TEXTS[how]}${output}`
      : `the end of \`${call.shell}\`${output}`
  }
  const stop = steps.find(step => typeof step.stops === 'string')
  if (!stop) return undefined
  const answer = typeof stop.answer === 'string' ? `, with the answer \`${stop.answer}\`` : ''
  return `the end of the agent \`${stop.stops}\`${answer}`
}
