import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingsScope } from '../../../clients/settings.ts'
import { launcherIn } from '../../../hook/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import type { FileChange } from '../file-change.ts'
import type { InstallPaths } from '../install-paths.ts'
import type { FileDraft } from './file-draft.ts'
import { launcherScriptPathIn } from './hook-command.ts'
import { LAUNCHER_MARK, renderLauncher } from './launcher-script.ts'
import { explainMissingNativeHook, findNativeHook, isNativeHook } from './native-hook.ts'
import { chooseNode } from './node-path.ts'
import type { ProgramCopy } from './program-copy.ts'

/**
 * What agents start: the native hook if it runs here, otherwise the script that finds Node. The native hook falls back to the script beside
 * it when no daemon answers, so the script is written first. The script stays without a native hook, for hooks that are still running.
 */
export function planLaunchers(scope: SettingsScope, copy: ProgramCopy, paths: InstallPaths): readonly FileDraft[] {
  const { data } = copy
  const [file, beside] = [launcherIn(data), launcherScriptPathIn(data)]
  const script = Buffer.from(
    renderLauncher(data, chooseNode(readTextOrNull(beside) ?? readTextOrNull(file), paths.node)),
  )
  const native = findNativeHook(programSourceOf(copy, paths))
  const common = { kind: 'launcher', mode: 0o755, scope } as const
  return [
    ...(native || existsSync(beside) ? [{ ...common, file: beside, what: 'starts Node', bytes: script }] : []),
    { ...common, file, what: 'starts Signalbox', bytes: native ? readFileSync(native) : script, fallbackBytes: script },
  ]
}

/** Why each hook will start Node, if it will. */
export function findOneShotReason(copy: ProgramCopy, paths: InstallPaths): string | undefined {
  const source = programSourceOf(copy, paths)
  return findNativeHook(source) ? undefined : explainMissingNativeHook(source)
}

/** Checks an existing copy in its own folder, because the native hook has to run there. */
const programSourceOf = ({ isThere, data, name }: ProgramCopy, { program, version }: InstallPaths) => ({
  folder: isThere ? join(data, name) : program,
  version,
})

/**
 * The native hook ran in the source folder. Programs may not be executable in the copy's folder (`noexec`), so the copy is tried there
 * before agents get it.
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

/** Replaces the native hook by the script. */
export const toScriptLauncher = (change: FileChange): FileChange =>
  isNativeChange(change) && change.fallbackBytes ? { ...change, after: change.fallbackBytes } : change

const isNativeChange = ({ after, fallbackBytes }: FileChange): boolean =>
  fallbackBytes !== undefined && after?.equals(fallbackBytes) === false

/** Whether this is a launcher that `init` writes: the script or the native hook. */
export const isLauncherText = (bytes: Buffer): boolean => bytes.includes(LAUNCHER_MARK) || isNativeHook(bytes)

const readTextOrNull = (file: string): string | null => tryOr(null, () => readFileSync(file, 'utf8'))
