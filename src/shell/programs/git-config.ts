import { type Arg, literal, UNKNOWN } from '../arg.ts'
import { type Call, has, isNamed, touch } from '../call.ts'
import { lookup } from '../scope.ts'

const VERBS = new Set('set unset rename-section remove-section edit'.split(' '))

/** `git config key` asks, `git config key value` writes the file that the options name. */
export function readConfig(call: Call, paths: readonly Arg[]): void {
  const verb = paths[0]?.text
  const asks =
    has(call, '--get --get-all --get-regexp --list -l --get-urlmatch --get-color --get-colorbool') && !takesBack(call)
  const one = paths.length === 1 && !VERBS.has(verb ?? '')
  const writes = has(call, '--unset --unset-all --edit -e --add --remove-section --rename-section --replace-all')
  call.onlyReads = !writes && (asks || verb === 'get' || verb === 'list' || one)
  const files = call.line.options.filter(option => FILE.some(name => isNamed(option, name)))
  for (const { value } of files) touch(call, call.onlyReads ? 'read' : 'write', value)
  if (!call.onlyReads && (files.length === 0 || takesBack(call))) touch(call, 'write', configFile(call))
}

const FILE = ['-f', '--file']

/** `--get --no-get`: of what asked nothing is left. What is shown along with an answer may be taken back. */
const takesBack = (call: Call): boolean =>
  call.line.options.some(({ name }) => /^--no?($|-(?!(inc|show-|null|name-))|-$)/.test(name))

function configFile(call: Call): Arg {
  if (has(call, '--global')) return named(call, 'GIT_CONFIG_GLOBAL') ?? literal('~/.gitconfig')
  if (has(call, '--system')) return named(call, 'GIT_CONFIG_SYSTEM') ?? literal('/etc/gitconfig')
  return named(call, 'GIT_CONFIG') ?? literal(has(call, '--worktree') ? '.git/config.worktree' : '.git/config')
}

/** The file that a variable of the line names in place of the usual one. */
function named({ assigns, scope }: Call, name: string): Arg | undefined {
  const value =
    assigns !== undefined && Object.hasOwn(assigns, name) ? assigns[name] : (lookup(scope, name) ?? undefined)
  if (value === undefined) return undefined
  return value === null ? UNKNOWN : literal(value)
}
