/** Words that run what follows them, and say nothing about it. */
const BEFORE = ['exec', 'command', 'env']
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'ksh']
const NODES = ['node', 'nodejs', 'bun']
const FETCHERS = [
  ['npx'],
  ['bunx'],
  ['pnpx'],
  ['npm', 'exec'],
  ['npm', 'x'],
  ['pnpm', 'dlx'],
  ['pnpm', 'exec'],
  ['yarn', 'dlx'],
]

/** Ours by the program that it starts, wherever that was when it was written. Words like ours in somebody's own line are theirs. */
export const isHookOf = (command: string, client: string): boolean => clientOf(command) === client

/** Does the line start our hook, for whomever? */
export const isHookLine = (command: string): boolean => argumentsIn(firstWords(command)) !== undefined

/** Whose hook of ours a line is; undefined: it is none. */
export function clientOf(command: string): string | undefined {
  const args = argumentsIn(firstWords(command))
  const at = args?.findIndex(word => word === '--client' || word.startsWith('--client=')) ?? -1
  if (!args || at < 0) return undefined
  return args[at] === '--client' ? args[at + 1] : args[at]?.slice('--client='.length)
}

/** The file that a line of ours starts, where it names it. */
export const programIn = (command: string): string | undefined =>
  firstWords(command).find(word => word.startsWith('/') && isProgram(nameOf(word)))

/** What the hook is given, where the words start it. */
function argumentsIn(words: readonly string[]): readonly string[] | undefined {
  const start = words.findIndex(word => !BEFORE.includes(word) && !/^\w+=/.test(word))
  const [program = '', ...rest] = start < 0 ? [] : words.slice(start)
  const name = nameOf(program)
  if (isProjectHook(program)) return rest
  if (isProgram(name)) return behindHook(rest)
  if (SHELLS.includes(name)) return givenToShell(rest)
  if (NODES.includes(name)) return behindProgram(rest)
  const fetcher = FETCHERS.find(one => [name, ...rest].slice(0, one.length).join(' ') === one.join(' '))
  return fetcher && behindProgram(rest.slice(fetcher.length - 1))
}

function givenToShell([first = '', script = '', ...rest]: readonly string[]): readonly string[] | undefined {
  if (isProjectHook(first)) return [script, ...rest]
  if (!/^-\w*c$/.test(first)) return undefined
  // the line of a project: it looks for its launcher, and hands on what it is given
  return script.includes('/.signalbox/hook"') && script.includes('"$@"')
    ? rest.slice(1)
    : argumentsIn(firstWords(script))
}

function behindProgram(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex(word => !word.startsWith('-'))
  return isProgram(nameOf(words[at] ?? '')) ? behindHook(words.slice(at + 1)) : undefined
}

const behindHook = ([verb, ...rest]: readonly string[]) => (verb === 'hook' ? rest : undefined)

const nameOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1)
const isProgram = (name: string): boolean => /^signalbox(\.[cm]?js)?(@[\w.^~-]+)?$/.test(name)
const isProjectHook = (word: string): boolean => /(^|\/)\.signalbox\/hook$/.test(word)

/** The words of the first command of a line, without their quotes. */
function firstWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  const piece = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([ \t]+)|([|;&()<>\n])|([\s\S])/g
  for (const [, escaped, single, double, blank, end, plain] of line.matchAll(piece)) {
    if (end !== undefined) break
    if (blank !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + (escaped ?? single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? plain ?? '')
  }
  return word === undefined ? words : [...words, word]
}
