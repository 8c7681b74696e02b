import type { DoctorEnvironment } from '../context.ts'

/** What a command line starts: the program, and its script if the program is an interpreter. */
export interface StartedProgram {
  readonly program: string
  readonly script?: string
}

const RUNNERS = /^(?:node|nodejs|bun|deno|sh|bash|zsh|dash)$/

/** Undefined if only a shell could determine it: several commands, substitutions, unset variables. */
export function programStartedBy(line: string, env: DoctorEnvironment): StartedProgram | undefined {
  const words = splitCommandLine(line, env)
  if (!words) return undefined
  const rest = words.slice(words.findIndex(word => !/^[A-Za-z_]\w*=/.test(word)))
  const [first = '', ...args] = rest[0] === 'exec' || rest[0] === 'env' ? rest.slice(1) : rest
  if (first === '') return undefined
  if (!RUNNERS.test(first.replace(/^.*\//, ''))) return { program: first }
  // `-c` or `-e`: inline code, not a script file
  if (args.some(word => /^-[a-z]*[ce]$/.test(word))) return { program: first }
  const script = args.find(word => !word.startsWith('-'))
  return script === undefined ? { program: first } : { program: first, script }
}

/** The words of a simple command line, unquoted and with variables replaced. */
export function splitCommandLine(line: string, env: DoctorEnvironment): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  const add = (text: string): void => {
    word = (word ?? '') + text
  }
  while (at < line.length) {
    const char = line[at] ?? ''
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at++
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1)
      if (end < 0) return undefined
      add(line.slice(at + 1, end))
      at = end + 1
    } else if (char === '"') {
      const [whole, text = ''] = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(line.slice(at)) ?? []
      if (whole === undefined || /`|\$\(/.test(text)) return undefined
      const filled = fillVariables(text, env)
      if (filled === undefined) return undefined
      add(filled.replace(/\\(["\\$`])/g, '$1'))
      at += whole.length
    } else if (char === '\\') {
      add(line[at + 1] ?? '')
      at += 2
    } else {
      const [bare = ''] = /^[^\s'"\\]+/.exec(line.slice(at)) ?? []
      if (/[;&|<>()`]/.test(bare)) return undefined
      const text = fillVariables(word === undefined && bare.startsWith('~/') ? `$HOME${bare.slice(1)}` : bare, env)
      if (text === undefined) return undefined
      add(text)
      at += bare.length
    }
  }
  return word === undefined ? words : [...words, word]
}

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)(?::?-([^}]*))?\}|([A-Za-z_]\w*))/g

function fillVariables(text: string, env: DoctorEnvironment): string | undefined {
  let known = true
  const filled = text.replace(VARIABLE, (_, braced?: string, otherwise?: string, bare?: string) => {
    const value = env[braced ?? bare ?? ''] ?? otherwise
    known &&= value !== undefined
    return value ?? ''
  })
  return known && !/\$[({]/.test(filled) ? filled : undefined
}
