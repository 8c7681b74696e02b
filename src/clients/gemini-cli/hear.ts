import type { Decision, Event } from '../../core/index.ts'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import { badExit, type Heard, type Ran, readOutput, unheard, verdictOf } from '../hearing.ts'
import { flag, object, text } from '../wire.ts'

/**
 * A hook's reply by the client's own rules (0.61.0), where JSON counts whatever the exit code; but exit 2 refuses (D16), and what
 * the client would silently ignore is a failure.
 */
export const hear = (ran: Ran, event: Event): Heard => {
  const output = readOutput(ran)
  // D16: exit 2 refuses, whatever else is said
  if (ran.exitCode === 2) {
    const own = isObject(output) ? text(output, 'reason') : ran.stdout.trim()
    const reason = own || ran.stderr.trim()
    const heard = isObject(output) ? spoken({ ...output, decision: 'deny', reason }, event) : undefined
    return { verdict: heard && 'verdict' in heard ? heard.verdict : verdictOf('deny', reason, {}) }
  }
  if (isObject(output)) {
    const heard = spoken(output, event)
    return ran.exitCode !== 0 && output.decision === undefined ? { failed: badExit(ran) } : heard
  }
  if (output === 'garbage') return { failed: 'gave a reply that is not JSON' }
  if (ran.exitCode === 0) return { verdict: verdictOf('pass', '', { message: ran.stdout.trim() }) }
  return { failed: badExit(ran) }
}

const WORDS: Readonly<Record<string, Decision>> = {
  allow: 'allow',
  approve: 'allow',
  deny: 'deny',
  block: 'deny',
  ask: 'ask',
}

const HEARD: ReadonlySet<string> = new Set([
  ...['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'hookSpecificOutput'],
  ...['hookEventName', 'additionalContext'],
])

/** Only BeforeTool reads a `tool_input`; elsewhere it is as lost as the keys there is no common word for. */
const spoken = (output: JsonObject, { kind }: Event): Heard => {
  const word = output.decision
  const decision =
    word === undefined ? 'pass' : typeof word === 'string' && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  if (!decision)
    return { failed: `gave \`decision\` as ${JSON.stringify(word)?.slice(0, 60)}, which the client does not know` }
  const inner = object(output, 'hookSpecificOutput')
  if (inner.permissionDecision !== undefined && word === undefined)
    return { failed: 'gave a `permissionDecision`, which this client does not read: it wants `decision`' }
  const stops = flag(output, 'continue') === false
  const message = [text(output, 'systemMessage'), stops ? text(output, 'stopReason') : ''].filter(Boolean).join('\n')
  const input = kind === 'tool.before' && isObject(inner.tool_input) ? inner.tool_input : undefined
  const lost = [output, inner].flatMap(said => unheard(said, HEARD)).filter(key => key !== 'tool_input' || !input)
  return {
    verdict: verdictOf(decision, text(output, 'reason') ?? '', {
      context: text(inner, 'additionalContext') ?? '',
      message,
      continue: !stops,
      suppressOutput: flag(output, 'suppressOutput') ?? false,
    }),
    ...(input && { input }),
    ...(lost.length > 0 && { lost }),
  }
}
