import type { Event } from '../../core/index.ts'
import { isObject } from '../../pattern/index.ts'
import { badExit, type Heard, type Ran, readOutput, unheard, verdictOf } from '../hearing.ts'
import { flag, text } from '../wire.ts'

const HEARD: ReadonlySet<string> = new Set(['decision', 'reason', 'context', 'message', 'input', 'continue'])

/** opencode has no hook commands of its own, so a hook speaks as Signalbox does to the plugin. */
export const hear = (ran: Ran, { kind }: Event): Heard => {
  const output = readOutput(ran)
  const words = isObject(output) ? output : {}
  const more = { context: text(words, 'context') ?? '', message: text(words, 'message') ?? '' }
  if (ran.exitCode === 2) return { verdict: verdictOf('deny', text(words, 'reason') ?? ran.stderr.trim(), more) }
  const { decision } = words
  if (ran.exitCode !== 0 && decision !== 'deny') return { failed: badExit(ran) }
  if (output === 'garbage' || output === 'text') return { failed: 'gave a reply that is not JSON' }
  if (decision !== undefined && decision !== 'deny')
    return { failed: `gave \`decision\` as ${JSON.stringify(decision)?.slice(0, 60)}: only \`deny\` is one here` }
  if (decision === undefined && isObject(words.hookSpecificOutput))
    return { failed: 'gave a `hookSpecificOutput`, which is not read here: it wants `decision`' }
  const input = kind === 'tool.before' && isObject(words.input) ? words.input : undefined
  const lost = unheard(words, HEARD).concat(words.input !== undefined && !input ? ['input'] : [])
  const verdict = verdictOf(decision ?? 'pass', text(words, 'reason') ?? '', {
    ...more,
    continue: flag(words, 'continue') !== false,
  })
  return { verdict, ...(input && { input }), ...(lost.length > 0 && { lost }) }
}
