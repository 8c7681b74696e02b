import type { Word } from './command.ts'

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn'])
/** Scripts that have a command of their own: `npm test` is `npm run test`. */
const OWN_COMMAND: ReadonlySet<string> = new Set(['test', 'start', 'stop'])
const RUN: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn'])
const TEST: ReadonlySet<string> = new Set(['t', 'tst'])
/** Options without a value. */
const SILENT: ReadonlySet<string> = new Set(['-s', '--silent'])

/**
 * The other spellings of the same script run: `npm t`, `npm run test` and `npm run-script test` are `npm test`. Empty for any other
 * command. `words` start after the program, whose bare name is `program`.
 */
export function scriptAliases(program: string, words: readonly Word[]): readonly (readonly Word[])[] {
  if (!PACKAGE_MANAGERS.has(program)) return []
  const at = words.findIndex(({ role }) => role !== 'option' && role !== 'value')
  const verb = words[at]
  if (verb?.role !== 'plain' || verb.text === null) return []
  const before = words.slice(0, at)
  const plain = (text: string): Word => ({ text, role: 'plain' })
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
