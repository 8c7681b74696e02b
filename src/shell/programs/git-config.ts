import { type Arg, literal } from '../arg.ts'
import { type Call, find, has, touch } from '../call.ts'

const VERBS = new Set('set unset rename-section remove-section edit'.split(' '))

/** `git config key` asks, `git config key value` writes the file that the options name. */
export function readConfig(call: Call, paths: readonly Arg[]): void {
  const verb = paths[0]?.text
  const asks = has(call, '--get --get-all --get-regexp --list -l --get-urlmatch --get-color --get-colorbool')
  const one =
    paths.length === 1 &&
    !VERBS.has(verb ?? '') &&
    !has(call, '--unset --unset-all --edit -e --add --remove-section --rename-section --replace-all')
  call.onlyReads = asks || verb === 'get' || verb === 'list' || one
  const file = find(call, '-f --file')?.value
  if (!call.onlyReads) touch(call, 'write', file ?? literal(configFile(call)))
  else if (file !== undefined) touch(call, 'read', file)
}

function configFile(call: Call): string {
  if (has(call, '--global')) return '~/.gitconfig'
  if (has(call, '--system')) return '/etc/gitconfig'
  return has(call, '--worktree') ? '.git/config.worktree' : '.git/config'
}
