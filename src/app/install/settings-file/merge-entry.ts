import { isObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { clientOfHookLine } from '../ownership.ts'

/** Keys that keep an agent from calling our hook or from waiting for it. `init` drops them. */
const DISABLING_KEYS = ['matcher', 'async', 'asyncRewake', 'if', 'once', 'enabled', 'disabled']
const COMMAND_KEYS = ['command', 'bash']
const TIMEOUT_KEYS = ['timeout', 'timeoutSec']
/** A larger factor means another unit or a mistake: ten minutes instead of ten seconds. */
const MAX_TIMEOUT_FACTOR = 60

/** A new entry with the user's additions to the old one: command-line options, a longer timeout, other keys; in their order. */
export function mergeEntry(old: unknown, fresh: Json): Json {
  if (!isObject(old) || !isObject(fresh)) return fresh
  const entries = Object.entries(old).flatMap(([key, value]): [string, Json][] => {
    if (!(key in fresh)) return DISABLING_KEYS.includes(key) ? [] : [[key, value as Json]]
    return [[key, mergeKey(key, value, fresh)]]
  })
  return {
    ...Object.fromEntries(entries),
    ...Object.fromEntries(Object.entries(fresh).filter(([key]) => !(key in old))),
  }
}

function mergeKey(key: string, old: unknown, fresh: JsonObject): Json {
  const value = fresh[key] as Json
  if (key === 'hooks' && Array.isArray(old) && Array.isArray(value)) return [mergeEntry(old[0], value[0] as Json)]
  if (COMMAND_KEYS.includes(key) && typeof old === 'string' && typeof value === 'string')
    return mergeCommandLine(old, value)
  if (!TIMEOUT_KEYS.includes(key) || typeof old !== 'number' || typeof value !== 'number') return value
  return old > value && old <= value * MAX_TIMEOUT_FACTOR ? old : value
}

/** Keeps variables before the command, and options after `--client`. */
function mergeCommandLine(old: string, fresh: string): string {
  const client = clientOfHookLine(fresh)
  if (client === undefined || clientOfHookLine(old) !== client) return fresh
  const [before, behind] = splitAtClient(old, client)
  const [, ordinary] = splitAtClient(fresh, client)
  const more = behind.startsWith(ordinary) ? behind.slice(ordinary.length) : behind.replace(/ --event[ =]\S+/, '')
  const early = /--on-error[ =]\w+/.exec(before)?.[0]
  const variables = /^(?:\w+=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+/.exec(old)?.[0] ?? ''
  return `${variables}${fresh}${early ? ` ${early}` : ''}${more.trimEnd()}`
}

function splitAtClient(line: string, client: string): readonly [before: string, behind: string] {
  const named = new RegExp(`--client[ =]["']?${client}["']?`).exec(line)
  const to = named ? named.index + named[0].length : line.length
  return [line.slice(0, named?.index), line.slice(to)]
}
