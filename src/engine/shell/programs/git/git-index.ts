import { type Arg, basename, literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import { addFileAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'
import { noteFolderContents, noteFoundFiles, noteStagedFiles } from '../../scope/path-resolution.ts'

/**
 * The next `git checkout -- .` or `git checkout-index -a` writes the content of git's index to the files. Content in the index that
 * comes neither from the file itself nor from the current commit therefore counts as written to the file.
 */
export const isHeadRevision = ({ text }: Arg): boolean => text === 'HEAD' || text === '@'

/** `--cacheinfo mode,object,path`, also as three words, and `--index-info` with lines on standard input. */
export function readGitUpdateIndex(call: ProgramCall): void {
  const { args } = call
  args.forEach(({ text, head }, at) => {
    const next = args[at + 1]
    if (head.startsWith('--cacheinfo='))
      addFileAction(call, 'write', pathOfCacheInfo(text?.slice('--cacheinfo='.length)))
    else if (text === '--cacheinfo')
      addFileAction(
        call,
        'write',
        next?.head.includes(',') ? pathOfCacheInfo(next.text) : (args[at + 3] ?? UNKNOWN_ARG),
      )
  })
  if (!hasOption(call, '--index-info')) return
  const paths = (call.stdin ?? '').split('\n').flatMap(line => /\t(.+)$/.exec(line)?.[1] ?? [])
  if (paths.length === 0) addFileAction(call, 'write', literalArg('.'), { whole: true })
  for (const path of paths) addFileAction(call, 'write', literalArg(path))
}

const pathOfCacheInfo = (info: string | null | undefined): Arg =>
  typeof info === 'string' ? literalArg(info.replace(/^[^,]*,[^,]*,/, '')) : UNKNOWN_ARG

/** The files of `git reset REVISION -- file`. Without `--`, a first word with an extension is itself a file. */
export function filesStagedByReset({ line }: ProgramCall, paths: readonly Arg[]): readonly Arg[] {
  const [from, ...files] = paths
  const isFile = !line.dashes && /\.\w+$/.test(from?.text ?? '')
  const isFirst = line.dashes && line.beforeDashes < 2
  return from === undefined || isHeadRevision(from) || isFile || isFirst ? [] : files
}

/** Notes files that git lists, below these folders or with these names: they may become words of a later command. */
export function noteTrackedFiles(call: ProgramCall, specs: readonly Arg[]): void {
  const { scope } = call
  // `git ls-files -o` lists files that git does not track
  if (call.line.operands[0]?.text === 'ls-files' && call.args.some(({ head }) => /^(-[a-z]*o[a-z]*|--o.*)$/.test(head)))
    noteFolderContents(specs.length === 0 ? [literalArg('.')] : specs, true, scope)
  for (const spec of specs) {
    const isWild = /[*?[]/.test(spec.text ?? '')
    noteFoundFiles(
      isWild ? { below: [literalArg('.')], named: [basename(spec.text ?? '')] } : { below: [spec], named: undefined },
      scope,
    )
  }
}

/** `git add -f file`: the file is in the index from here on. The whole folder counts only with `-f`, because most lines add it. */
export function noteAddedFiles(call: ProgramCall, specs: readonly Arg[]): void {
  if (hasOption(call, '-n --dry-run')) return
  const isForced = hasOption(call, '-f --force')
  const named = specs.filter(({ text }) => isForced || !/^(\.{0,2}\/?|:\/|\*)$/.test(text ?? '.'))
  noteStagedFiles(specs.length === 0 && isForced ? [literalArg('.')] : named, call.scope)
}

/** `git add -f file; git reset --hard`: git deletes a file that is in the index and not in the commit. */
export function deleteAddedFiles(call: ProgramCall, name: string): void {
  if (!mayDeleteAdded(call, name)) return
  for (const place of call.scope.staged) call.acts.push({ action: 'delete', place, via: call.via })
}

function mayDeleteAdded(call: ProgramCall, name: string): boolean {
  if (name === 'reset') return hasOption(call, '--hard --merge --keep')
  if (name === 'checkout' || name === 'switch') return hasOption(call, '-f --force --discard-changes')
  if (name === 'restore') return hasOption(call, '-W --worktree -s --source')
  if (name === 'read-tree') return hasOption(call, '-u --reset')
  if (name === 'stash') return !/^(list|show|drop|clear|create|store)$/.test(call.line.operands[1]?.text ?? '')
  return /^(merge|rebase|am|cherry-pick|revert)$/.test(name)
    ? hasOption(call, '--abort')
    : name === 'rm' || name === 'clean'
}
