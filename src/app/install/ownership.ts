/** Commands that only run the command after them. */
const PREFIX_COMMANDS = ['exec', 'command', 'env']
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'ksh']
const NODE_PROGRAMS = ['node', 'nodejs', 'bun']
const PACKAGE_RUNNERS = [
  ['npx'],
  ['bunx'],
  ['pnpx'],
  ['npm', 'exec'],
  ['npm', 'x'],
  ['pnpm', 'dlx'],
  ['pnpm', 'exec'],
  ['yarn', 'dlx'],
]

/** The line starts our hook for this client, from any path. Our words elsewhere in a user's own line do not count. */
export const isHookLineOf = (command: string, client: string): boolean => clientOfHookLine(command) === client

/** Whether the line starts our hook, for any client. */
export const isHookLine = (command: string): boolean => hookArgumentsIn(firstCommandWords(command)) !== undefined

/** The client that a hook line of ours is for; undefined: the line is not ours. */
export function clientOfHookLine(command: string): string | undefined {
  const args = hookArgumentsIn(firstCommandWords(command))
  const at = args?.findIndex(word => word === '--client' || word.startsWith('--client=')) ?? -1
  if (!args || at < 0) return undefined
  return args[at] === '--client' ? args[at + 1] : args[at]?.slice('--client='.length)
}

/** The absolute path of our program in a hook line, if there is one. */
export const programOfHookLine = (command: string): string | undefined =>
  firstCommandWords(command).find(word => word.startsWith('/') && isSignalboxName(baseNameOf(word)))

/** The hook's arguments, if the words start our hook. */
function hookArgumentsIn(words: readonly string[]): readonly string[] | undefined {
  const start = words.findIndex(word => !PREFIX_COMMANDS.includes(word) && !/^\w+=/.test(word))
  const [program = '', ...rest] = start < 0 ? [] : words.slice(start)
  const name = baseNameOf(program)
  if (isProjectHook(program)) return rest
  if (isSignalboxName(name)) return argumentsAfterHookVerb(rest)
  if (SHELLS.includes(name)) return argumentsAfterShell(rest)
  if (NODE_PROGRAMS.includes(name)) return argumentsAfterProgram(rest)
  const fetcher = PACKAGE_RUNNERS.find(runner => [name, ...rest].slice(0, runner.length).join(' ') === runner.join(' '))
  return fetcher && argumentsAfterProgram(rest.slice(fetcher.length - 1))
}

function argumentsAfterShell([first = '', script = '', ...rest]: readonly string[]): readonly string[] | undefined {
  if (isProjectHook(first)) return [script, ...rest]
  if (!/^-\w*c$/.test(first)) return undefined
  // a project's hook line: it looks for the launcher and passes its arguments on
  return script.includes('/.signalbox/hook"') && script.includes('"$@"')
    ? rest.slice(1)
    : hookArgumentsIn(firstCommandWords(script))
}

function argumentsAfterProgram(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex(word => !word.startsWith('-'))
  return isSignalboxName(baseNameOf(words[at] ?? '')) ? argumentsAfterHookVerb(words.slice(at + 1)) : undefined
}

const argumentsAfterHookVerb = ([verb, ...rest]: readonly string[]) => (verb === 'hook' ? rest : undefined)

const baseNameOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1)
const isSignalboxName = (name: string): boolean => /^signalbox(\.[cm]?js)?(@[\w.^~-]+)?$/.test(name)
const isProjectHook = (word: string): boolean => /(^|\/)\.signalbox\/hook$/.test(word)

/** The words of a line's first command, unquoted. */
function firstCommandWords(line: string): readonly string[] {
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
