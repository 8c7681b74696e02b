import { type Arg, basename, literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import { addFileAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'
import { noteFoundFiles } from '../../scope/path-resolution.ts'

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
export function noteTrackedFiles({ scope }: ProgramCall, specs: readonly Arg[]): void {
  for (const spec of specs) {
    const isWild = /[*?[]/.test(spec.text ?? '')
    noteFoundFiles(
      isWild ? { below: [literalArg('.')], named: [basename(spec.text ?? '')] } : { below: [spec], named: undefined },
      scope,
    )
  }
}
