import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingsScope } from '../../../clients/settings.ts'
import type { FileChange } from '../file-change.ts'
import type { InstallPaths } from '../install-paths.ts'
import type { FileDraft } from '../plan.ts'
import { launcherPathIn, launcherScriptPathIn } from './hook-command.ts'
import { LAUNCHER_MARK, renderLauncher } from './launcher-script.ts'
import { explainMissingNativeHook, findNativeHook, isNativeHook } from './native-hook.ts'
import { chooseNode } from './node-path.ts'
import type { ProgramCopy } from './program-copy.ts'

/**
 * What agents start: the native hook where one runs here, else the script that finds Node. The native one hands to the script beside it what no
 * daemon answers, so that is written first; and it stays where there is no native one any more, for who was started as one.
 */
export function planLaunchers(scope: SettingsScope, copy: ProgramCopy, place: InstallPaths): readonly FileDraft[] {
  const { data } = copy
  const [file, beside] = [launcherPathIn(data), launcherScriptPathIn(data)]
  const script = Buffer.from(
    renderLauncher(data, chooseNode(readTextOrNull(beside) ?? readTextOrNull(file), place.node)),
  )
  const native = findNativeHook(programSourceOf(copy, place))
  const common = { kind: 'launcher', mode: 0o755, scope } as const
  return [
    ...(native || existsSync(beside) ? [{ ...common, file: beside, what: 'starts Node', bytes: script }] : []),
    { ...common, file, what: 'starts Signalbox', bytes: native ? readFileSync(native) : script, spare: script },
  ]
}

/** Why each hook will start Node, where it will. */
export function findOneShotReason(copy: ProgramCopy, place: InstallPaths): string | undefined {
  const source = programSourceOf(copy, place)
  return findNativeHook(source) ? undefined : explainMissingNativeHook(source)
}

/** Where the copy is made already it has been seen there whether it runs. */
const programSourceOf = ({ isThere, data, name }: ProgramCopy, { program, version }: InstallPaths) => ({
  folder: isThere ? join(data, name) : program,
  version,
})

/**
 * A native hook ran where the program comes from. Where the copy is, programs may not be run: that is tried with the one in the copy, before
 * agents are given it.
 */
export function findNativeHookProblem(
  changes: readonly FileChange[],
  copy: ProgramCopy | undefined,
  version: string,
): string | undefined {
  if (!copy || !changes.some(isNativeChange)) return undefined
  const program = { folder: join(copy.data, copy.name), version }
  return findNativeHook(program) ? undefined : explainMissingNativeHook(program)
}

/** The script in the place of the native hook. */
export const toScriptLauncher = (change: FileChange): FileChange =>
  isNativeChange(change) && change.spare ? { ...change, after: change.spare } : change

const isNativeChange = ({ after, spare }: FileChange): boolean => spare !== undefined && after?.equals(spare) === false

/** Is it what `init` puts there, of whichever kind? */
export const isLauncherText = (bytes: Buffer): boolean => bytes.includes(LAUNCHER_MARK) || isNativeHook(bytes)

function readTextOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
