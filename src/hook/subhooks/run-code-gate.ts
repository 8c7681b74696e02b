import { messageOf, tryOr } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'

/** A question to the code of one gate. */
export interface CodeGateRequest {
  readonly url: string
  readonly event: unknown
  readonly state: unknown
}

/** `said` is JSON. `ended`: no other answer will follow. */
export type CodeGateAnswer = { readonly verdict: string } | { readonly problem: string; readonly ended?: true }

export const CODE_ENDED = 'its code ended before it answered'

/** What the thread or process of the code gates sends. */
export type CodeGateReply = CodeGateAnswer | { readonly printed: string }

/** Imports the module of a gate and calls its `judge`. */
export async function runCodeGate({ url, event, state }: CodeGateRequest): Promise<CodeGateAnswer> {
  let judges: unknown
  try {
    judges = (await import(url)).default?.judge
  } catch (error) {
    return { problem: `its code could not be loaded: ${describeThrown(error)}${loadHelpOf(error, url)}` }
  }
  if (typeof judges !== 'function') return { problem: 'its code has no default export `judge`' }
  try {
    const verdict = judges(event, state)
    if (typeof verdict?.then === 'function') return { problem: 'its code must return a verdict, not a promise' }
    return { verdict: JSON.stringify(verdict) ?? 'null' }
  } catch (error) {
    return { problem: describeThrown(error) }
  }
}

/** What to do about mistakes for which Node's own message names no way out. */
const loadHelpOf = (error: unknown, url: string): string =>
  tryOr('', () => {
    const code = isObject(error) && error.code
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
      return /\.[cm]?tsx?$/.test(url) ? '; compile it to `.mjs`' : '; write it in a `.mjs` file'
    if (code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes("'signalbox'"))
      return '; install Signalbox beside it, or export `{ judge }` without the import'
    return ''
  })

/** Any value can be thrown, even one without a text form. */
export const describeThrown = (error: unknown): string =>
  tryOr('its code threw a value that cannot be shown', () => messageOf(error))

const MOST_PRINTED = 65_536

/** Sends what the code prints with `send`, at most 64 KB of it until `reset`: nothing may get into the reply. */
export function capturePrints(send: (printed: string) => void): { readonly reset: () => void } {
  let room = MOST_PRINTED
  const print = (text: unknown, ...rest: readonly unknown[]): boolean => {
    const printed = (typeof text === 'string' ? text : Buffer.from(text as Uint8Array).toString()).slice(0, room)
    room -= printed.length
    if (printed !== '') send(printed)
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    return true
  }
  process.stdout.write = print
  process.stderr.write = print
  return {
    reset() {
      room = MOST_PRINTED
    },
  }
}
