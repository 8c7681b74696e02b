import type { Word } from '../match/command.ts'

/** What to do instead: a shell line, an agent to spawn (one of several), a tool to call. */
export type Suggestion =
  | string
  | Witnessed
  | { readonly agent: string | readonly string[] }
  | { readonly tool: string; readonly path?: string }

/** A shell line whose success opens a gate, and the clients that do not report how a call ended. */
interface Witnessed {
  readonly line: string
  readonly silent: readonly string[]
}

export const suggestionText = (suggest: Suggestion, client: string): string => {
  if (typeof suggest === 'string') return suggest
  if ('line' in suggest) return suggest.silent.includes(client) ? `signalbox run -- ${suggest.line}` : suggest.line
  if ('agent' in suggest) return [suggest.agent].flat().join(' or ')
  return [suggest.tool, suggest.path].filter(Boolean).join(' ')
}

/** The words of a suggested line, which must be a simple command. */
export const suggestedWords = (line: string): readonly Word[] =>
  line
    .split(/\s+/)
    .filter(Boolean)
    .map(text => ({ text, role: text.startsWith('-') ? 'option' : 'plain' }))

/** The line hands the work to a session that has an approval. */
export const requestsApproval = (line: string): boolean => /^signalbox\s+orchestrate(\s|$)/.test(line)
