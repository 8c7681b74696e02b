import { type Arg, basename, literal, UNKNOWN } from '../arg.ts'
import { type Call, has, touch } from '../call.ts'
import { noteFind } from '../place.ts'

/**
 * The index of git: what is put under a name there is what the next `git checkout -- .` or `git checkout-index -a` writes to the
 * file. So a content that does not come from the file itself, nor from the current commit, counts as written to the file.
 */
export const isHead = ({ text }: Arg): boolean => text === 'HEAD' || text === '@'

/** `--cacheinfo mode,object,path`, the same as three words, and `--index-info` with the lines on standard input. */
export function readUpdateIndex(call: Call): void {
  const { args } = call
  args.forEach(({ text, head }, at) => {
    const next = args[at + 1]
    if (head.startsWith('--cacheinfo=')) touch(call, 'write', pathIn(text?.slice('--cacheinfo='.length)))
    else if (text === '--cacheinfo')
      touch(call, 'write', next?.head.includes(',') ? pathIn(next.text) : (args[at + 3] ?? UNKNOWN))
  })
  if (!has(call, '--index-info')) return
  const paths = (call.stdin ?? '').split('\n').flatMap(line => /\t(.+)$/.exec(line)?.[1] ?? [])
  if (paths.length === 0) touch(call, 'write', literal('.'), { whole: true })
  for (const path of paths) touch(call, 'write', literal(path))
}

const pathIn = (info: string | null | undefined): Arg =>
  typeof info === 'string' ? literal(info.replace(/^[^,]*,[^,]*,/, '')) : UNKNOWN

/** The files of `git reset REVISION -- file`; without `--` a first word with an extension is a file itself. */
export function stagedByReset({ line }: Call, paths: readonly Arg[]): readonly Arg[] {
  const [from, ...files] = paths
  const isFile = !line.dashes && /\.\w+$/.test(from?.text ?? '')
  const isFirst = line.dashes && line.beforeDashes < 2
  return from === undefined || isHead(from) || isFile || isFirst ? [] : files
}

/** Files that git names, below these folders or by these names: they may become words of a later command. */
export function noteTracked({ scope }: Call, specs: readonly Arg[]): void {
  for (const spec of specs) {
    const isWild = /[*?[]/.test(spec.text ?? '')
    noteFind(
      isWild ? { below: [literal('.')], named: [basename(spec.text ?? '')] } : { below: [spec], named: undefined },
      scope,
    )
  }
}
