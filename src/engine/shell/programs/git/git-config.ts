import { type Arg, literalArg, mayBeOneOf, scriptTextOf, UNKNOWN_ARG } from '../../calls/argument.ts'
import { addFileAction, addFolderWrite, hasOption, isOptionNamed, type ProgramCall } from '../../calls/program-call.ts'
import { joinPath } from '../../scope/path-resolution.ts'
import { lookupVariable } from '../../scope/scope.ts'

const CONFIG_VERBS = 'set unset rename-section remove-section edit'.split(' ')

/** Settings whose value is a shell line that git runs later. An alias is opaque where it is used. */
const PROGRAM_KEY =
  /^(?!alias).+\.(\w*(editor|pager|command|cmd|program|askpass|conv|driver|pack|packobjectshook|difffilter)|fsmonitor|gitproxy|external|clean|smudge|process|helper)$/i

/** Settings whose value is a command, or a word of another kind. */
const POSSIBLE_PROGRAM_KEY = /^pager\.|\.(update|smtpserver|tunnel|httpd)$/i

/** Adds what the value of the setting runs or changes later. A `!` may stand before the command. */
function readSetting(call: ProgramCall, key: string, value: Arg | undefined): void {
  const isProgram = PROGRAM_KEY.test(key) || (POSSIBLE_PROGRAM_KEY.test(key) && /[\s!/;|]/.test(value?.text ?? '!'))
  const words = value === undefined ? [] : [value]
  if (isProgram) call.inner.push({ run: { script: scriptTextOf(...words)?.replace(/^\s*!/, '') ?? null } })
  // relative to `.git`
  if (/^core\.worktree$/i.test(key) && value !== undefined)
    addFolderWrite(call, value.text === null ? value : literalArg(joinPath('.git', value.text)))
}

/** `git config key` reads; `git config key value` writes the file that the options select. */
export function readGitConfig(call: ProgramCall, paths: readonly Arg[]): void {
  const verb = paths[0]?.text
  const asks =
    hasOption(call, '--get --get-all --get-regexp --list -l --get-urlmatch --get-color --get-colorbool') &&
    !isNegatingGet(call)
  const one = paths.length === 1 && !mayBeOneOf(paths[0], CONFIG_VERBS)
  const writes = hasOption(call, '--unset --unset-all --edit -e --add --remove-section --rename-section --replace-all')
  // behind the key, git takes a word with a dash for the value
  const isValue = paths[0] !== undefined && /^-/.test(call.args[call.args.indexOf(paths[0]) + 1]?.head ?? '')
  call.onlyReads = !writes && (verb === 'get' || verb === 'list' || ((asks || one) && !isValue))
  if (!call.onlyReads) for (const [at, { text }] of paths.entries()) readSetting(call, text ?? '', paths[at + 1])
  const files = call.line.options.filter(option => FILE_OPTIONS.some(name => isOptionNamed(option, name)))
  for (const { value } of files) addFileAction(call, call.onlyReads ? 'read' : 'write', value)
  if (!call.onlyReads && (files.length === 0 || isNegatingGet(call))) addFileAction(call, 'write', configFile(call))
}

const FILE_OPTIONS = ['-f', '--file']

/** `--get --no-get`: a negation cancels the query. Negations of display and include options are harmless. */
const isNegatingGet = (call: ProgramCall): boolean =>
  call.line.options.some(({ name }) => /^--no?($|-(?!(inc|show-|null|name-))|-$)/.test(name))

function configFile(call: ProgramCall): Arg {
  if (hasOption(call, '--global')) return fileFromVariable(call, 'GIT_CONFIG_GLOBAL') ?? literalArg('~/.gitconfig')
  if (hasOption(call, '--system')) return fileFromVariable(call, 'GIT_CONFIG_SYSTEM') ?? literalArg('/etc/gitconfig')
  return (
    fileFromVariable(call, 'GIT_CONFIG') ??
    literalArg(hasOption(call, '--worktree') ? '.git/config.worktree' : '.git/config')
  )
}

/** The file named by a variable of the line, instead of the default file. */
export function fileFromVariable({ assigns, scope }: ProgramCall, name: string): Arg | undefined {
  const value =
    assigns !== undefined && Object.hasOwn(assigns, name) ? assigns[name] : (lookupVariable(scope, name) ?? undefined)
  if (value === undefined) return undefined
  return value === null ? UNKNOWN_ARG : literalArg(value)
}
