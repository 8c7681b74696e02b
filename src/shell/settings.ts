import type { Arg } from './arg.ts'
import type { Assigns } from './call.ts'

const NAME = /^[A-Za-z_]\w*$/
const PAIR = /^([A-Za-z_]\w*)=/

/** Words that are names of variables, or `NAME=value`, where the command sets them in another way than by an assignment. */
type Sets = (words: readonly string[]) => readonly string[]

const names: Sets = words => words.filter(word => NAME.test(word))
const pairs: Sets = words => words.flatMap(word => PAIR.exec(word)?.[1] ?? [])
const after =
  (verb: RegExp, sets: Sets): Sets =>
  words => {
    const at = words.findIndex(word => verb.test(word))
    return at < 0 ? [] : sets(words.slice(at + 1))
  }
const ofRunner = after(/^(cross-env|cross-env-shell|env-cmd)(@.*)?$/, pairs)

const SETTERS: Readonly<Record<string, Sets>> = {
  read: names,
  readarray: names,
  mapfile: names,
  getopts: names,
  printf: words => (words[0]?.startsWith('-v') ? names([words[0].slice(2) || (words[1] ?? '')]) : []),
  tmux: after(/^(setenv|set-environment)$/, words => names(words).slice(0, 1)),
  launchctl: after(/^setenv$/, words => names(words).slice(0, 1)),
  setx: words => names(words).slice(0, 1),
  systemctl: after(/^(set|import)-environment$/, words => [...pairs(words), ...names(words)]),
  'dbus-update-activation-environment': words => [...pairs(words), ...names(words)],
  'cross-env': pairs,
  'cross-env-shell': pairs,
  npx: ofRunner,
  bunx: ofRunner,
  npm: ofRunner,
  pnpm: ofRunner,
  yarn: ofRunner,
}

/** Variables the command sets by its words, or by `${NAME:=value}` in them; to what is not asked. */
export function setBy(program: string, args: readonly Arg[], via: string): Assigns | undefined {
  const isSetter = Object.hasOwn(SETTERS, program)
  if (!isSetter && !via.includes('=')) return undefined
  const words = args.slice(1).flatMap(({ text }) => text ?? [])
  const own = isSetter ? (SETTERS[program]?.(words) ?? []) : []
  const all = via.includes('=') ? [...own, ...expanded(words, via)] : own
  return all.length === 0 ? undefined : Object.fromEntries(all.map(name => [name, null]))
}

/** In quotes it is text, and then it is still among the words. */
const expanded = (words: readonly string[], via: string): readonly string[] =>
  [...via.matchAll(/\$\{([A-Za-z_]\w*):?=/g)].flatMap(([text, name = '']) =>
    words.some(word => word.includes(text)) ? [] : [name],
  )
