import type { Verdict } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'

/** Exit code and output of a hook command that ended by itself. */
export interface HookRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** stdout was longer than the limit and is truncated */
  readonly cut?: boolean
}

/** The parsed reply, or why there is none. */
export type HookOutputResult = HookVerdict | { readonly failed: string }

export interface HookVerdict {
  readonly verdict: Verdict
  /** the rewritten input of the call, in the client's own fields */
  readonly input?: JsonObject
  /** names of reply keys that are not passed on */
  readonly lost?: readonly string[]
}

/**
 * Parses stdout: an object if it starts with `{`, `garbage` if it starts so but is not a JSON object. Text before the JSON
 * makes it plain text, as in the clients themselves.
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

/** Keys of a reply that are not supported. */
export const unknownKeysOf = (reply: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.keys(reply).filter(key => !known.has(key))

/** Describes an exit code other than 0 and 2. */
export const describeBadExit = ({ exitCode, stderr }: HookRun): string => {
  const lines = stderr.trim().split('\n')
  // prefer the error line of a stack trace: it may be at the beginning or at the end
  const line = lines.find(text => /^\s*[\w.]*(?:Error|Exception)\b.*:/.test(text))?.trim() ?? lines[0] ?? ''
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
  const defaultReason = `${decision === 'deny' ? 'Denied' : 'Decided'} by a hook that gives no reason.`
  return { decision, reason: reason || defaultReason, ...texts }
}
