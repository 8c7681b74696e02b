import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CommandMatcher, Condition } from '../../../../engine/index.ts'
import { didYouMean } from '../../../../lib/did-you-mean.ts'
import { tryOr } from '../../../../lib/errors.ts'
import { isObject } from '../../../../lib/json.ts'
import type { Policy, PolicyError } from '../../../../policy/index.ts'

/** Warns of gates that wait for a script which the project's package.json does not have: no agent can make it succeed. */
export function missingScriptWarnings({ gates }: Policy, root: string): readonly PolicyError[] {
  const scripts = scriptsOf(root)
  if (!scripts) return []
  const found = gates.flatMap(({ layer, transitions }) =>
    transitions.flatMap(({ to, when, at = '' }) =>
      to === 'open' && (layer === 'project' || layer === 'nested')
        ? commandsIn(when).flatMap(command => warningOf(command, scripts, placeOf(at, root)) ?? [])
        : [],
    ),
  )
  return found.filter((one, index) => found.findIndex(other => isSame(one, other)) === index)
}

const isSame = (one: PolicyError, other: PolicyError): boolean =>
  one.message === other.message && one.file === other.file && one.line === other.line

/** Undefined without a package.json, and if it cannot be read: then nothing is known about scripts. */
function scriptsOf(root: string): readonly string[] | undefined {
  const found: unknown = tryOr(undefined, () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  if (!isObject(found)) return undefined
  return isObject(found.scripts) ? Object.keys(found.scripts) : []
}

function warningOf(
  { program, words, options }: Extract<CommandMatcher, { readonly program: string }>,
  scripts: readonly string[],
  place: Pick<PolicyError, 'file' | 'line'>,
): PolicyError | undefined {
  const script = scriptNamed(program, words)
  if (script === undefined || script.includes('*') || options.some(isElsewhere) || scripts.includes(script)) return
  const message = `the gate waits for \`${[program, ...words].join(' ')}\`, and package.json has no script \`${script}\``
  const help = didYouMean(script, scripts) ?? `add the script to package.json, or name another command`
  return { ...place, column: 1, message, help }
}

/** `npm --prefix web test` runs a script of another package. */
const isElsewhere = (option: string): boolean =>
  /^(?:--(?:prefix|workspaces?|filter|recursive|dir|cwd)\b|-[wCFr])/.test(option)

const TEST_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  npm: ['test', 't', 'tst'],
  pnpm: ['test', 't', 'tst'],
  yarn: ['test'],
}

/** The script that `npm run lint` or `npm test` runs. */
function scriptNamed(program: string, [word = '', name]: readonly string[]): string | undefined {
  const tests = TEST_COMMANDS[program]
  if (tests?.includes(word)) return 'test'
  return tests && (word === 'run' || word === 'run-script') ? name : undefined
}

function commandsIn(condition: Condition): readonly Extract<CommandMatcher, { readonly program: string }>[] {
  if ('all' in condition) return condition.all.flatMap(commandsIn)
  if ('any' in condition) return condition.any.flatMap(commandsIn)
  if (!('key' in condition) || condition.key !== 'command') return []
  return condition.in.flatMap(matcher => ('program' in matcher ? [matcher] : []))
}

/** `signalbox.yaml:12` in the project. */
function placeOf(at: string, root: string): Pick<PolicyError, 'file' | 'line'> {
  const [, file = at, line = '1'] = /^(.*):(\d+)$/.exec(at) ?? []
  return { file: resolve(root, file), line: Number(line) }
}
