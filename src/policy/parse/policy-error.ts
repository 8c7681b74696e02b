/** An error in a policy, with its location. `message` is one line, lower case, without a final period. */
export interface PolicyError {
  /** absolute path */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  /** one thing to try */
  readonly help?: string
  /** the line as written */
  readonly excerpt?: string
  /** how many characters of the excerpt are marked */
  readonly length?: number
  /** at most eight valid keys */
  readonly keys?: readonly string[]
  /** all valid words */
  readonly words?: readonly string[]
  /** id of the client, if the error concerns one client only */
  readonly client?: string
  /** the pattern matches nothing, as far as that can be known without reading the disk */
  readonly noEffect?: true
  /** with `noEffect`: only if this path, relative to the project root, is a folder */
  readonly folder?: string
}

export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly length: number
  readonly excerpt: string
}

export interface ErrorAdvice {
  readonly help?: string | undefined
  readonly keys?: readonly string[] | undefined
  readonly words?: readonly string[] | undefined
  readonly client?: string | undefined
  readonly noEffect?: true | undefined
  readonly folder?: string | undefined
}

export function policyErrorAt(location: SourceLocation, message: string, advice: ErrorAdvice = {}): PolicyError {
  return {
    file: location.file,
    line: location.line,
    column: location.column,
    message: replaceLineBreaks(message),
    ...(advice.help ? { help: replaceLineBreaks(advice.help) } : {}),
    ...(location.excerpt ? { excerpt: location.excerpt, length: location.length } : {}),
    ...(advice.keys ? { keys: firstEightKeys(advice.keys) } : {}),
    ...(advice.words ? { words: advice.words } : {}),
    ...errorFlagsOf(advice),
  }
}

export const errorFlagsOf = ({
  client,
  noEffect,
  folder,
}: ErrorAdvice): Pick<PolicyError, 'client' | 'noEffect' | 'folder'> => ({
  ...(client && { client }),
  ...(noEffect && { noEffect }),
  ...(folder !== undefined && { folder }),
})

const firstEightKeys = (keys: readonly string[]): readonly string[] =>
  keys.length > 8 ? [...keys.slice(0, 8), '…'] : keys

/** An error that concerns the whole file. */
export const policyErrorOfFile = (file: string, message: string, help?: string): PolicyError => ({
  file,
  line: 1,
  column: 1,
  message: replaceLineBreaks(message),
  ...(help ? { help: replaceLineBreaks(help) } : {}),
})

/** Names and values appear in messages as they were written, and YAML allows line breaks in them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const replaceLineBreaks = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ')

/** One line: `signalbox.yaml:9:17 unknown key …; did you mean …?` */
export function formatErrorLine(problem: PolicyError, label: (file: string) => string): string {
  const where = `${label(problem.file)}:${problem.line}:${problem.column}`
  return `${where} ${problem.message}${problem.help ? `; ${problem.help}` : ''}`
}

/** Formats the line, a mark under the error, and the valid keys or words. Cuts a line wider than `width` to the part around the error. */
export function formatPolicyError(
  given: PolicyError,
  label: (file: string) => string,
  width = Number.POSITIVE_INFINITY,
): string {
  const problem = { ...given, ...excerptAround(given, width - LINE_NUMBER_WIDTH) }
  const head = `${label(given.file)}:${given.line}:${given.column} ${given.message}`
  if (problem.excerpt === undefined) return problem.help ? `${head}\n    ${problem.help}` : head
  const number = String(problem.line).padStart(3)
  const mark = '^'.repeat(Math.max(1, problem.length ?? 1))
  const under = `${' '.repeat(3)} | ${' '.repeat(problem.column - 1)}${mark}${problem.help ? ` ${problem.help}` : ''}`
  const keys = problem.keys ? `\nKeys here: ${problem.keys.join(', ')}` : ''
  const words = problem.words ? `\nOne of: ${problem.words.join(', ')}` : ''
  return `${head}\n${number} | ${problem.excerpt}\n${under}${keys}${words}`
}

/** `  3 | ` */
const LINE_NUMBER_WIDTH = 6

function excerptAround({ excerpt = '', column, length = 1 }: PolicyError, room: number): Partial<PolicyError> {
  if (excerpt.length <= room) return {}
  const from = Math.max(0, Math.min(column - 1 - Math.floor(room / 3), excerpt.length - room))
  const cut = excerpt.slice(from, from + room)
  const shown = `${from > 0 ? '…' : ''}${cut.slice(from > 0 ? 1 : 0, from + room < excerpt.length ? -1 : undefined)}`
  return {
    excerpt: from + room < excerpt.length ? `${shown}…` : shown,
    column: column - from,
    length: Math.max(1, Math.min(length, room - (column - from) + 1)),
  }
}
