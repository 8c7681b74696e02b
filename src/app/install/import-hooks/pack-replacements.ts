/** A pack that does the work of hooks which people wrote by hand. */
export interface PackReplacement {
  readonly pack: string
  /** names of their scripts, without an ending */
  readonly hooks: readonly string[]
  /** what else to write, so that the pack knows what the hook knew */
  readonly note?: string | undefined
  /** it is used in a policy that counts wherever the hook runs */
  readonly isInForce: boolean
}

/** The pack that stands for what this line runs. A line that runs anything else beside it is nobody's but the person's. */
export function findReplacement(line: string, packs: readonly PackReplacement[]): PackReplacement | undefined {
  const name = scriptNameIn(line)
  return name === undefined ? undefined : packs.find(({ hooks }) => hooks.some(one => normalizeName(one) === name))
}

const CHANGE_FOLDER = /^cd\s+(?:"[^"`()]*"|'[^']*'|[^\s;&|<>`()]+)\s*&&\s*/
const SILENCING_SUFFIX = /\s*(?:[12]?>>?\s*\/dev\/null|2>&1|\|\|\s*(?:true|:|exit\s+0)|;\s*exit\s+0)\s*$/
const ASSIGNMENT = /^(?:[A-Za-z_]\w*=[^\s;&|<>`()"']*\s+)+/
/** Anything that could run a second program, or hide the first. */
const SHELL_OPERATOR = /[;&|<>`()\n]|\$(?![A-Za-z_{])/
const RUNNER = /^(?:env|node|deno|bun|bunx|npx|tsx|python[\d.]*|uv|uvx|pipx|sh|bash|zsh|ruby|perl|php)$/
/** of runners whose first word says what they do */
const RUNNER_VERBS: Readonly<Record<string, RegExp>> = { uv: /^run$/, pipx: /^run$/, deno: /^run$/, bun: /^(?:run|x)$/ }
const SCRIPT_EXTENSION = /\.(?:[cm]?[jt]s|py|sh|bash|rb|pl|php)$/

/** The name of the script or program that a line runs, if it runs one. */
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
    // `--project DIR` or `--quiet script.py`: only an ending tells a script from a value
    if (!isValue || SCRIPT_EXTENSION.test(word)) return normalizedBaseNameOf(word)
  }
  return undefined
}

const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const normalizeName = (name: string): string => name.replace(SCRIPT_EXTENSION, '').replaceAll('_', '-').toLowerCase()
const normalizedBaseNameOf = (word: string): string => normalizeName(baseNameOf(word))
