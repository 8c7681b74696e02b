/** A pack that replaces common hand-written hooks. */
export interface PackReplacement {
  readonly pack: string
  /** names of the replaced scripts, without extension */
  readonly hooks: readonly string[]
  /** what else to configure, so that the pack knows what the hook knew */
  readonly note?: string | undefined
  /** a policy that applies wherever the hook runs uses the pack */
  readonly isInForce: boolean
}

/** The pack that replaces the script in this command line. None if the line runs anything else too. */
export function findReplacement(line: string, packs: readonly PackReplacement[]): PackReplacement | undefined {
  const name = scriptNameIn(line)
  return name === undefined ? undefined : packs.find(({ hooks }) => hooks.some(hook => normalizeName(hook) === name))
}

const CHANGE_FOLDER = /^cd\s+(?:"[^"`()]*"|'[^']*'|[^\s;&|<>`()]+)\s*&&\s*/
const SILENCING_SUFFIX = /\s*(?:[12]?>>?\s*\/dev\/null|2>&1|\|\|\s*(?:true|:|exit\s+0)|;\s*exit\s+0)\s*$/
const ASSIGNMENT = /^(?:[A-Za-z_]\w*=[^\s;&|<>`()"']*\s+)+/
/** Syntax that could run a second program, or hide the first. */
const SHELL_OPERATOR = /[;&|<>`()\n]|\$(?![A-Za-z_{])/
const RUNNER = /^(?:env|node|deno|bun|bunx|npx|tsx|python[\d.]*|uv|uvx|pipx|sh|bash|zsh|ruby|perl|php)$/
/** verbs of runners that come before the script */
const RUNNER_VERBS: Readonly<Record<string, RegExp>> = { uv: /^run$/, pipx: /^run$/, deno: /^run$/, bun: /^(?:run|x)$/ }
const SCRIPT_EXTENSION = /\.(?:[cm]?[jt]s|py|sh|bash|rb|pl|php)$/

/** The name of the only script or program that a line runs. */
function scriptNameIn(line: string): string | undefined {
  let rest = line.trim().replace(CHANGE_FOLDER, '')
  while (SILENCING_SUFFIX.test(rest)) rest = rest.replace(SILENCING_SUFFIX, '')
  rest = rest.replace(ASSIGNMENT, '')
  if (SHELL_OPERATOR.test(rest)) return undefined
  const words = [...rest.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''))
  const [program = '', ...args] = words
  const verb = RUNNER_VERBS[baseNameOf(program)]
  if (!RUNNER.test(baseNameOf(program))) return normalizedBaseNameOf(program)
  for (const [at, word] of args.entries()) {
    const before = args[at - 1] ?? ''
    const isValue = before.startsWith('-') && before !== '-m' && !before.includes('=')
    if (word.startsWith('-') || (at === 0 && verb?.test(word))) continue
    // `--project DIR` or `--quiet script.py`: only the extension distinguishes a script from a value
    if (!isValue || SCRIPT_EXTENSION.test(word)) return normalizedBaseNameOf(word)
  }
  return undefined
}

const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const normalizeName = (name: string): string => name.replace(SCRIPT_EXTENSION, '').replaceAll('_', '-').toLowerCase()
const normalizedBaseNameOf = (word: string): string => normalizeName(baseNameOf(word))
