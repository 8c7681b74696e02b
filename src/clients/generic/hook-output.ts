import type { Event } from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'
import { stringField } from '../adapter/decode.ts'
import {
  createVerdict,
  describeBadExit,
  type HookOutputResult,
  type HookRun,
  parseHookStdout,
  unknownKeysOf,
} from '../adapter/hook-output.ts'

/** Parses a reply in the protocol's format: `approve`, which is no opinion, or `block` with a reason, and a `warning`. */
export const readOutput = (ran: HookRun, _event: Event): HookOutputResult => {
  const output = parseHookStdout(ran)
  if (ran.exitCode === 2) {
    const answer = isObject(output) ? output : { reason: ran.stdout.trim() }
    const more = { context: stringField(answer, 'warning') ?? '' }
    return { verdict: createVerdict('deny', ran.stderr.trim() || (stringField(answer, 'reason') ?? ''), more) }
  }
  // a denial counts for any exit code
  const blocks = isObject(output) && output.decision === 'block'
  if (ran.exitCode !== 0 && !blocks) return { failed: describeBadExit(ran) }
  if (output === 'nothing') return { verdict: { decision: 'pass' } }
  if (!isObject(output)) return { failed: 'gave a reply that is not JSON' }
  const { decision } = output
  if (decision !== undefined && decision !== 'approve' && decision !== 'block')
    return { failed: `gave \`decision\` as ${JSON.stringify(decision)?.slice(0, 60)}, neither approve nor block` }
  // a reply in another agent's format: reported, because it would have no effect
  if (decision === undefined && isObject(output.hookSpecificOutput))
    return { failed: 'gave a `hookSpecificOutput`, which this protocol does not have: use `decision`' }
  const reason = stringField(output, 'reason') ?? ''
  const lost = unknownKeysOf(output, KNOWN_KEYS)
  return {
    verdict: createVerdict(decision === 'block' ? 'deny' : 'pass', reason, {
      context: stringField(output, 'warning') ?? '',
    }),
    ...(lost.length > 0 && { lost }),
  }
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(['decision', 'reason', 'warning', 'metadata'])
