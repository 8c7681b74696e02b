import { fitsStars, regexTruth, type TextTools } from './text.ts'
import { type Quantifier, someTruth, type Truth, truthOf } from './three-valued.ts'

/** A word of a simple command. `text` is null when only running the shell could determine it (`$X`, `$(…)`). */
export interface Word {
  readonly text: string | null
  /**
   * `plain`: an argument; `option`: begins with a dash before `--`; `value`: surely the value of the option before it;
   * `maybe`: follows an option without a description, so it may be the option's value or an argument.
   */
  readonly role: 'plain' | 'option' | 'value' | 'maybe'
  /** its text is unknown and may turn out to be any option */
  readonly free?: boolean
  /** for a check such as a test run: with this word the check may be smaller, different, empty, or that of another folder */
  readonly narrows?: 'run' | 'folder'
}

/** One word of a command, by its text with `*` or by a regex. */
export type WordPattern = { readonly like: string } | { readonly regex: string }

/** Is some word after the program one of these? Operands, options and values of options, wherever they stand. */
export const matchWords = (
  wanted: readonly WordPattern[],
  words: readonly Word[],
  { regex, fill }: TextTools,
  reading: Quantifier,
): Truth =>
  someTruth(words.slice(1), ({ text, role }) => {
    if (text === null) return 'unknown'
    const texts = role === 'option' ? [text, ...valuesIn(text, reading)] : [text]
    return someTruth(wanted, pattern => {
      if ('regex' in pattern) return someTruth(texts, one => regexTruth(pattern.regex, one, regex))
      // after `--` a word with a dash is an operand, and exempts nothing
      if (reading === 'all' && role !== 'option' && pattern.like.startsWith('-')) return 'false'
      return truthOf(texts.some(one => fitsStars(pattern.like, one, fill)))
    })
  })

/** `--file=x` has the value `x`. `-fx` may have it, unless it can be several letters: `-rf`. */
function valuesIn(option: string, reading: Quantifier): readonly string[] {
  const equals = option.indexOf('=')
  if (equals > 0) return [option.slice(equals + 1)]
  return reading === 'any' && /^-[a-zA-Z].*[^a-zA-Z]/s.test(option) ? [option.slice(2)] : []
}

const plain = (text: string): Word => ({ text, role: 'plain' })

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn'])
/** Scripts that have a command of their own: `npm test` is `npm run test`. */
const OWN_COMMAND: ReadonlySet<string> = new Set(['test', 'start', 'stop'])
const RUN: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn'])
const TEST: ReadonlySet<string> = new Set(['t', 'tst'])
/** Options without a value. */
const SILENT: ReadonlySet<string> = new Set(['-s', '--silent'])

/** Built-in aliases of subcommands. */
const CARGO: Readonly<Record<string, string>> = { t: 'test', b: 'build', c: 'check', d: 'doc', r: 'run', rm: 'remove' }

const isPython = (program: string): boolean => /^python3?$/.test(program)
/** Modules that are the program of the same name. */
const MODULE = /^(pytest|mypy|ruff|black|isort|flake8|pylint|pyright|coverage|tox|nox|pip)$/
/** Before `-m` Python may run code in place of a module: `python -c pass -m pytest`, `python a.py -m pytest`. */
const mayRunCode = ({ text, role }: Word): boolean =>
  text === null || /^-[a-zA-Z]*c/.test(text) || (role !== 'option' && role !== 'value')

/** May a call of Python be a run of this program? */
export const runsModules = (program: string): boolean => MODULE.test(program)

/** The other spellings of the same command. `name` is the bare name of its program. Empty for most commands. */
export function aliasesOf(name: string, words: readonly Word[]): readonly (readonly Word[])[] {
  const [program, ...rest] = words
  if (!program) return []
  const withProgram = (others: readonly (readonly Word[])[]) => others.map(one => [program, ...one])
  if (PACKAGE_MANAGERS.has(name)) return withProgram(scriptAliases(rest))
  if (name === 'cargo') return withProgram(cargoAliases(rest))
  return isPython(name) ? moduleAliases(program, rest) : []
}

/** `cargo t` is `cargo test`. */
function cargoAliases(words: readonly Word[]): readonly (readonly Word[])[] {
  const at = words.findIndex(({ role }) => role !== 'option' && role !== 'value')
  const verb = words[at]
  const name = verb?.text ?? ''
  const full = Object.hasOwn(CARGO, name) ? CARGO[name] : undefined
  return verb?.role === 'plain' && full !== undefined ? [words.with(at, plain(full))] : []
}

/** `python -m pytest -q` is `pytest -q`, and `.venv/bin/python -m pytest` is `.venv/bin/pytest`. */
function moduleAliases(program: Word, words: readonly Word[]): readonly (readonly Word[])[] {
  const at = words.findIndex(({ text }) => text === '-m')
  const before = words.slice(0, Math.max(at, 0))
  const module = words[at + 1]?.text ?? ''
  if (at < 0 || !MODULE.test(module) || before.some(mayRunCode)) return []
  const text = (program.text ?? '').replace(/[^\\/]*$/, module)
  return [[{ ...program, text }, ...before, ...words.slice(at + 2)]]
}

/** `npm t`, `npm run test` and `npm run-script test` are `npm test`. `words` start after the program. */
function scriptAliases(words: readonly Word[]): readonly (readonly Word[])[] {
  const at = words.findIndex(({ role }) => role !== 'option' && role !== 'value')
  const verb = words[at]
  if (verb?.role !== 'plain' || verb.text === null) return []
  const before = words.slice(0, at)
  if (OWN_COMMAND.has(verb.text) || TEST.has(verb.text)) {
    const script = plain(TEST.has(verb.text) ? 'test' : verb.text)
    const rest = words.slice(at + 1)
    return [
      [...before, plain('run'), script, ...rest],
      [...before, script, ...rest],
    ]
  }
  const script = words.findIndex(({ text }, nth) => nth > at && !SILENT.has(text ?? ''))
  const { text: name, role } = words[script] ?? {}
  // any other option in between may take the name as its value
  if (!RUN.has(verb.text) || typeof name !== 'string' || (role !== 'plain' && (role !== 'maybe' || script === at + 1)))
    return []
  const options = [...before, ...words.slice(at + 1, script)]
  const rest = [plain(name), ...words.slice(script + 1)]
  const named = [...options, plain('run'), ...rest]
  return OWN_COMMAND.has(name) ? [named, [...options, ...rest]] : [named]
}
