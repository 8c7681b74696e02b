import type { Event } from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'
import { booleanField, stringField } from '../adapter/decode.ts'
import {
  createVerdict,
  describeBadExit,
  type HookOutputResult,
  type HookRun,
  parseHookStdout,
  unknownKeysOf,
} from '../adapter/hook-output.ts'

const KNOWN_KEYS: ReadonlySet<string> = new Set(['decision', 'reason', 'context', 'message', 'input', 'continue'])

/** opencode has no hook commands, so sub-hooks reply in the format that Signalbox uses for its plugin. */
export const readOutput = (ran: HookRun, { kind }: Event): HookOutputResult => {
  const output = parseHookStdout(ran)
  const words = isObject(output) ? output : {}
  const more = { context: stringField(words, 'context') ?? '', message: stringField(words, 'message') ?? '' }
  if (ran.exitCode === 2)
    return { verdict: createVerdict('deny', stringField(words, 'reason') ?? ran.stderr.trim(), more) }
  const { decision } = words
  if (ran.exitCode !== 0 && decision !== 'deny') return { failed: describeBadExit(ran) }
  if (output === 'garbage' || output === 'text') return { failed: 'gave a reply that is not JSON' }
  if (decision !== undefined && decision !== 'deny')
    return { failed: `gave \`decision\` as ${JSON.stringify(decision)?.slice(0, 60)}: only \`deny\` is one here` }
  if (decision === undefined && isObject(words.hookSpecificOutput))
    return { failed: 'gave a `hookSpecificOutput`, which is not read here: use `decision`' }
  const input = kind === 'tool.before' && isObject(words.input) ? words.input : undefined
  const lost = unknownKeysOf(words, KNOWN_KEYS).concat(words.input !== undefined && !input ? ['input'] : [])
  const verdict = createVerdict(decision ?? 'pass', stringField(words, 'reason') ?? '', {
    ...more,
    continue: booleanField(words, 'continue') !== false,
  })
  return { verdict, ...(input && { input }), ...(lost.length > 0 && { lost }) }
}
