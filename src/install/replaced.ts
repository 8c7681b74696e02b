/** A pack that does the work of hooks which people wrote by hand. */
export interface Replacing {
  readonly pack: string
  /** names of their scripts, without an ending */
  readonly hooks: readonly string[]
  /** what else to write, so that the pack knows what the hook knew */
  readonly note?: string | undefined
  /** it is used in a policy that counts wherever the hook runs */
  readonly isInForce: boolean
}

/** The pack that stands for what this line runs. A line that runs anything else beside it is nobody's but the person's. */
export function replacedBy(line: string, packs: readonly Replacing[]): Replacing | undefined {
  const name = scriptIn(line)
  return name === undefined ? undefined : packs.find(({ hooks }) => hooks.some(one => plain(one) === name))
}

const CHANGE_FOLDER = /^cd\s+(?:"[^"`()]*"|'[^']*'|[^\s;&|<>`()]+)\s*&&\s*/
const TRAILER = /\s*(?:[12]?>>?\s*\/dev\/null|2>&1|\|\|\s*(?:true|:|exit\s+0)|;\s*exit\s+0)\s*$/
const ASSIGNMENT = /^(?:[A-Za-z_]\w*=[^\s;&|<>`()"']*\s+)+/
/** Anything that could run a second program, or hide the first. */
const MORE = /[;&|<>`()\n]|\$(?![A-Za-z_{])/
const RUNNER = /^(?:env|node|deno|bun|bunx|npx|tsx|python[\d.]*|uv|uvx|pipx|sh|bash|zsh|ruby|perl|php)$/
/** of runners whose first word says what they do */
const VERBS: Readonly<Record<string, RegExp>> = { uv: /^run$/, pipx: /^run$/, deno: /^run$/, bun: /^(?:run|x)$/ }
const ENDING = /\.(?:[cm]?[jt]s|py|sh|bash|rb|pl|php)$/

/** The name of the script or program that a line runs, if it runs one. */
function scriptIn(line: string): string | undefined {
  let rest = line.trim().replace(CHANGE_FOLDER, '')
  while (TRAILER.test(rest)) rest = rest.replace(TRAILER, '')
  rest = rest.replace(ASSIGNMENT, '')
  if (MORE.test(rest)) return undefined
  const words = [...rest.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''))
  const [program = '', ...args] = words
  const verb = VERBS[last(program)]
  if (!RUNNER.test(last(program))) return nameOf(program)
  for (const [at, word] of args.entries()) {
    const before = args[at - 1] ?? ''
    const isValue = before.startsWith('-') && before !== '-m' && !before.includes('=')
    if (word.startsWith('-') || (at === 0 && verb?.test(word))) continue
    // `--project DIR` or `--quiet script.py`: only an ending tells a script from a value
    if (!isValue || ENDING.test(word)) return nameOf(word)
  }
  return undefined
}

const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const plain = (name: string): string => name.replace(ENDING, '').replaceAll('_', '-').toLowerCase()
const nameOf = (word: string): string => plain(last(word))
