import type { GateMoveScenario } from '../../../../analysis/verify/index.ts'
import type { Condition, Transition } from '../../../../engine/index.ts'

type Step = GateMoveScenario['steps'][number]

const RESULT_TEXTS: Readonly<Record<string, string>> = { succeeded: 'that succeeds', failed: 'that fails' }

/**
 * Describes the event that was played to trigger a transition. The transition's condition may name several events, of which
 * only this one was tried. Undefined for a clock, and for events without a name that people use.
 */
export function describeScenario(
  { steps, event }: Pick<GateMoveScenario, 'steps' | 'event'>,
  { when }: Pick<Transition, 'when'>,
  root: string,
): string | undefined {
  const find = (has: (step: Step) => boolean): Step | undefined => steps.find(has)
  switch (event) {
    case 'tool.before':
      return describeCall(find(step => !isAgentWork(step)) ?? steps[0], root)
    case 'tool.after':
    case 'tool.failed':
      return describeEnd(find(step => 'after' in step && !('spawn' in step)) ?? find(step => 'stops' in step), root)
    case 'agent.start':
      return describeAgent('start', find(step => 'starts' in step)?.starts)
    case 'agent.stop':
      return describeAgentEnd(find(step => 'stops' in step))
    case 'turn.stop':
      return 'the end of the turn'
    case 'prompt.submit':
      return readsPrompt(when) ? `the prompt \`${steps[0]?.prompt}\`` : 'the next prompt'
    default:
      return undefined
  }
}

const isAgentWork = (step: Step): boolean => 'spawn' in step || 'starts' in step || 'stops' in step

function describeCall(step: Step = {}, root: string): string | undefined {
  const { shell, spawn, tool, fetch, input } = step
  if (shell !== undefined) return `\`${shell}\``
  if (spawn !== undefined) return `spawning the agent \`${spawn}\``
  if (tool !== undefined) return `a call of the tool \`${tool}\`${describeInput(input)}`
  if (fetch !== undefined) return `fetching ${fetch}`
  for (const [key, verb] of FILE_VERBS)
    if (step[key] !== undefined) return `${verb} ${String(step[key]).replace(`${root}/`, '')}`
  return undefined
}

/** Which call of the tool it was: another one may not trigger the transition. */
const describeInput = (input: unknown): string => {
  const text = JSON.stringify(input ?? {})
  return text === '{}' || text.includes('`') ? '' : ` with \`${text}\``
}

const FILE_VERBS: readonly (readonly [key: string, verb: string])[] = [
  ['write', 'writing'],
  ['edit', 'editing'],
  ['delete', 'deleting'],
  ['read', 'reading'],
]

/** The end of a spawn is the end of its agent. */
function describeEnd(step: Step = {}, root: string): string | undefined {
  if ('stops' in step) return describeAgentEnd(step)
  const call = describeCall(step, root)
  if (call === undefined) return undefined
  const output = typeof step.output === 'string' ? ` and prints \`${step.output}\`` : ''
  const result = RESULT_TEXTS[resultOf(step)]
  return result ? `${call} ${result}${output}` : `the end of ${call}${output}`
}

/** An attested exit status counts where the client reports none. */
function resultOf({ signed, after }: Step): string {
  if (typeof signed !== 'object') return String(after)
  return JSON.stringify(signed).endsWith(':0}') ? 'succeeded' : 'failed'
}

const describeAgent = (what: string, agent: unknown): string | undefined =>
  agent === undefined ? undefined : `the ${what} of the agent \`${agent}\``

function describeAgentEnd({ stops, answer }: Step = {}): string | undefined {
  const end = describeAgent('end', stops)
  return end && typeof answer === 'string' ? `${end}, with the answer \`${answer}\`` : end
}

function readsPrompt(when: Condition): boolean {
  if ('all' in when) return when.all.some(readsPrompt)
  if ('any' in when) return when.any.some(readsPrompt)
  if ('not' in when) return readsPrompt(when.not)
  return 'key' in when && (when.key === 'prompt' || when.key === 'source')
}
