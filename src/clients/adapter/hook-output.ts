import type { Verdict } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'

/** How a hook command ended by itself, and what it printed. */
export interface HookRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** there was more on stdout than anybody reads */
  readonly cut?: boolean
}

/** What it said with that; or why it said nothing. */
export type HookOutputResult = HookVerdict | { readonly failed: string }

export interface HookVerdict {
  readonly verdict: Verdict
  /** the call's input, rewritten, in the client's own fields */
  readonly input?: JsonObject
  /** parts of the reply that are not passed on, by name */
  readonly lost?: readonly string[]
}

/**
 * What a hook printed: JSON if it begins like an object (profile noise before it makes it plain text, as for the clients
 * themselves), a complaint where it begins so and is none.
 */
export function parseHookStdout({ stdout }: HookRun): JsonObject | 'garbage' | 'text' | 'nothing' {
  const text = stdout.trim()
  if (text === '') return 'nothing'
  if (!text.startsWith('{')) return 'text'
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : 'garbage'
  } catch {
    return 'garbage'
  }
}

/** Keys of a reply that nobody has a word for. */
export const unknownKeysOf = (reply: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.keys(reply).filter(key => !known.has(key))

/** Any ending but 0 and 2, in words. */
export const describeBadExit = ({ exitCode, stderr }: HookRun): string => {
  const lines = stderr.trim().split('\n')
  // a stack tells what went wrong at its beginning, or at its end
  const line = lines.find(one => /^\s*[\w.]*(?:Error|Exception)\b.*:/.test(one))?.trim() ?? lines[0] ?? ''
  return `exited with ${exitCode}${line === '' ? '' : `: ${line.length > 200 ? `${line.slice(0, 199)}…` : line}`}`
}

/** A verdict without its empty parts. */
export function createVerdict(decision: Verdict['decision'], reason: string, more: Omit<Verdict, 'decision'>): Verdict {
  const { context, message, suppressOutput } = more
  const texts = {
    ...(context && { context }),
    ...(message && { message }),
    ...(more.continue === false && { continue: false }),
    ...(suppressOutput && { suppressOutput }),
  }
  if (decision === 'pass') return { decision, ...texts }
  const unsaid = `${decision === 'deny' ? 'Refused' : 'Decided'} by a hook that gives no reason.`
  return { decision, reason: reason || unsaid, ...texts }
}
