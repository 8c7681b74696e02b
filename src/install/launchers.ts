import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scope } from '../clients/registers.ts'
import { isNativeHook, nativeHook, whyNoNativeHook } from '../native/index.ts'
import type { Change } from './change.ts'
import type { Copy } from './copy.ts'
import { launcherIn, scriptIn } from './hook-call.ts'
import { LAUNCHER_MARK, launcherText } from './launcher.ts'
import { nodeFor } from './node.ts'
import type { Place } from './place.ts'
import type { Draft } from './plan.ts'

/**
 * What agents start: the native hook where one runs here, else the script that finds Node. The native one hands to the script beside it what no
 * daemon answers, so that is written first; and it stays where there is no native one any more, for who was started as one.
 */
export function launchers(scope: Scope, copy: Copy, place: Place): readonly Draft[] {
  const { data } = copy
  const [file, beside] = [launcherIn(data), scriptIn(data)]
  const script = Buffer.from(launcherText(data, nodeFor(textIn(beside) ?? textIn(file), place.node)))
  const native = nativeHook(sourceOf(copy, place))
  const common = { kind: 'launcher', mode: 0o755, scope } as const
  return [
    ...(native || existsSync(beside) ? [{ ...common, file: beside, what: 'starts Node', bytes: script }] : []),
    { ...common, file, what: 'starts Signalbox', bytes: native ? readFileSync(native) : script, spare: script },
  ]
}

/** Why each hook will start Node, where it will. */
export function oneShotReason(copy: Copy, place: Place): string | undefined {
  const source = sourceOf(copy, place)
  return nativeHook(source) ? undefined : whyNoNativeHook(source)
}

/** Where the copy is made already it has been seen there whether it runs. */
const sourceOf = ({ isThere, data, name }: Copy, { program, version }: Place) => ({
  folder: isThere ? join(data, name) : program,
  version,
})

/**
 * A native hook ran where the program comes from. Where the copy is, programs may not be run: that is tried with the one in the copy, before
 * agents are given it.
 */
export function whyNotNative(changes: readonly Change[], copy: Copy | undefined, version: string): string | undefined {
  if (!copy || !changes.some(isNative)) return undefined
  const program = { folder: join(copy.data, copy.name), version }
  return nativeHook(program) ? undefined : whyNoNativeHook(program)
}

/** The script in the place of the native hook. */
export const withoutNative = (change: Change): Change =>
  isNative(change) && change.spare ? { ...change, after: change.spare } : change

const isNative = ({ after, spare }: Change): boolean => spare !== undefined && after?.equals(spare) === false

/** Is it what `init` puts there, of whichever kind? */
export const isLauncherText = (bytes: Buffer): boolean => bytes.includes(LAUNCHER_MARK) || isNativeHook(bytes)

function textIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
