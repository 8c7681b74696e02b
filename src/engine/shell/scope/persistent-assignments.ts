import type { Arg } from '../calls/argument.ts'
import type { Assignments } from '../calls/program-call.ts'

const NAME = /^[A-Za-z_]\w*$/
const ASSIGNMENT_PAIR = /^([A-Za-z_]\w*)=/

/** Finds the variables that a command sets through its words, as `NAME` or `NAME=value`, instead of by a shell assignment. */
type NameFinder = (words: readonly string[]) => readonly string[]

const findNames: NameFinder = words => words.filter(word => NAME.test(word))
const findPairNames: NameFinder = words => words.flatMap(word => ASSIGNMENT_PAIR.exec(word)?.[1] ?? [])
const findAfterVerb =
  (verb: RegExp, sets: NameFinder): NameFinder =>
  words => {
    const at = words.findIndex(word => verb.test(word))
    return at < 0 ? [] : sets(words.slice(at + 1))
  }
const findRunnerNames = findAfterVerb(/^(cross-env|cross-env-shell|env-cmd)(@.*)?$/, findPairNames)

const NAME_FINDERS: Readonly<Record<string, NameFinder>> = {
  read: findNames,
  readarray: findNames,
  mapfile: findNames,
  getopts: findNames,
  printf: words => (words[0]?.startsWith('-v') ? findNames([words[0].slice(2) || (words[1] ?? '')]) : []),
  tmux: findAfterVerb(/^(setenv|set-environment)$/, words => findNames(words).slice(0, 1)),
  launchctl: findAfterVerb(/^setenv$/, words => findNames(words).slice(0, 1)),
  setx: words => findNames(words).slice(0, 1),
  systemctl: findAfterVerb(/^(set|import)-environment$/, words => [...findPairNames(words), ...findNames(words)]),
  'dbus-update-activation-environment': words => [...findPairNames(words), ...findNames(words)],
  'cross-env': findPairNames,
  'cross-env-shell': findPairNames,
  npx: findRunnerNames,
  bunx: findRunnerNames,
  npm: findRunnerNames,
  pnpm: findRunnerNames,
  yarn: findRunnerNames,
}

/** Variables that the command sets through its words, or by `${NAME:=value}` in them. All values count as unknown. */
export function persistentAssignmentsOf(program: string, args: readonly Arg[], via: string): Assignments | undefined {
  const isSetter = Object.hasOwn(NAME_FINDERS, program)
  if (!isSetter && !via.includes('=')) return undefined
  const words = args.slice(1).flatMap(({ text }) => text ?? [])
  const own = isSetter ? (NAME_FINDERS[program]?.(words) ?? []) : []
  const all = via.includes('=') ? [...own, ...namesAssignedInExpansions(words, via)] : own
  return all.length === 0 ? undefined : Object.fromEntries(all.map(name => [name, null]))
}

/** In quotes `${NAME:=value}` is plain text, and then it still appears in the expanded words. */
const namesAssignedInExpansions = (words: readonly string[], via: string): readonly string[] =>
  [...via.matchAll(/\$\{([A-Za-z_]\w*):?=/g)].flatMap(([text, name = '']) =>
    words.some(word => word.includes(text)) ? [] : [name],
  )
