import { type Arg, basename, literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import { hasOption, type ProgramCall } from '../../calls/program-call.ts'
import { noteLink, resolveArgumentPaths } from '../../scope/path-resolution.ts'

export const joinBelow = (folder: string, name: string): string =>
  folder.endsWith('/') ? folder + name : `${folder}/${name}`

/** `ln` and `cp -l`: a write to the new name is a write to the source. */
export function noteLinks(call: ProgramCall, sources: readonly Arg[], target: Arg | undefined): void {
  const isHard = !hasOption(call, '-s --symbolic --symbolic-link') || hasOption(call, '-r --relative')
  for (const source of sources) for (const at of placesOfCopy(source, target)) noteLink(source, at, call.scope, isHard)
}

/** Where a copy, a link or a moved file may be: under the target's name, or below it under its own. */
function placesOfCopy({ text, glob }: Arg, target: Arg | undefined): readonly Arg[] {
  if (target === undefined) return []
  if (target.text === null) return [target]
  if (text === null || glob) return [target, UNKNOWN_ARG]
  return [target, { ...literalArg(joinBelow(target.text, basename(text))), glob: target.glob }]
}

/** A link that the line created stays a link where it is moved or copied to. */
export function noteMovedLinks(call: ProgramCall, sources: readonly Arg[], target: Arg | undefined): void {
  if (call.scope.links.length === 0) return
  for (const source of sources)
    if (
      resolveArgumentPaths(source, call.scope, 'delete').length > call.scope.cwds.length ||
      source.text === null ||
      source.glob
    )
      for (const at of placesOfCopy(source, target)) noteLink(source, at, call.scope, true)
}

/** `mount --bind a b`, `bindfs a b`: below the second folder is what is below the first. */
export function readMount(call: ProgramCall): void {
  const [from, to] = call.line.operands
  const isBind = call.program === 'bindfs' || hasOption(call, '-B -R -M --bind --rbind --move -o --options')
  if (isBind && from !== undefined && to !== undefined) noteLink(from, to, call.scope, true)
}
