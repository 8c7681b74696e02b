import type { Event } from '../../core/index.ts'
import { isObject } from '../../pattern/index.ts'
import { badExit, type Heard, type Ran, readOutput, unheard, verdictOf } from '../hearing.ts'
import { text } from '../wire.ts'

/** A hook in the protocol's own words: `approve`, which is no opinion here (D2), or `block` with a reason, and a warning. */
export const hear = (ran: Ran, _event: Event): Heard => {
  const output = readOutput(ran)
  if (ran.exitCode === 2) {
    const said = isObject(output) ? output : { reason: ran.stdout.trim() }
    const more = { context: text(said, 'warning') ?? '' }
    return { verdict: verdictOf('deny', ran.stderr.trim() || (text(said, 'reason') ?? ''), more) }
  }
  // a refusal counts however the hook ended
  const blocks = isObject(output) && output.decision === 'block'
  if (ran.exitCode !== 0 && !blocks) return { failed: badExit(ran) }
  if (output === 'nothing') return { verdict: { decision: 'pass' } }
  if (!isObject(output)) return { failed: 'gave a reply that is not JSON' }
  const { decision } = output
  if (decision !== undefined && decision !== 'approve' && decision !== 'block')
    return { failed: `gave \`decision\` as ${JSON.stringify(decision)?.slice(0, 60)}, neither approve nor block` }
  // an answer for another agent: it said something, and nobody here would hear it
  if (decision === undefined && isObject(output.hookSpecificOutput))
    return { failed: 'gave a `hookSpecificOutput`, which this protocol does not have: it wants `decision`' }
  const reason = text(output, 'reason') ?? ''
  const lost = unheard(output, HEARD)
  return {
    verdict: verdictOf(decision === 'block' ? 'deny' : 'pass', reason, { context: text(output, 'warning') ?? '' }),
    ...(lost.length > 0 && { lost }),
  }
}

const HEARD: ReadonlySet<string> = new Set(['decision', 'reason', 'warning', 'metadata'])
