import { type EmbeddedParts, findCallsInCode } from './calls-in-code.ts'
import type { ObscureCall } from './obscure-call.ts'

export { readWindowsLine, type WindowsCommand } from './windows-line.ts'

import { findPossibleLines } from './possible-lines.ts'

const LONGEST_CODE = 64 * 1024

/** What certainly is in the text of a call in doubt. `lines` are possible: the caller keeps those that start with a known program. */
export function findEmbeddedParts(call: ObscureCall): EmbeddedParts & { readonly possible: readonly string[] } {
  const parts: EmbeddedParts = { lines: [], commands: [], files: [] }
  const texts = [...call.words, ...(call.stdin === undefined ? [] : [call.stdin])]
  for (const text of texts)
    if (/[\s(`]/.test(text) && text.length <= LONGEST_CODE) findCallsInCode(text, call.program, parts)
  return { ...parts, possible: findPossibleLines(call) }
}
