import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DaemonStatus,
  isDaemonOff,
  queryDaemon,
  RUN_FILES,
  readDaemonLog,
  runFolderOf,
} from '../../hook/daemon/index.ts'
import type { Folders } from '../../hook/index.ts'
import { tryOr } from '../../lib/errors.ts'
import { explainMissingNativeHook, findNativeHook, isNativeHook } from '../install/program/native-hook.ts'
import type { DoctorEnvironment } from './context.ts'
import { readPackageVersion } from './read/package-version.ts'

/** Where `init` installed the program: for the user, else for the machine. */
export interface InstalledProgram {
  readonly data: string
  /** what agents start */
  readonly file: string
  readonly isNative: boolean
  /** the native hook to use, if the installed program's runs on this machine */
  readonly usableNativeHook: string | undefined
  /** why there is no native hook */
  readonly why: string
}

export function findInstalledProgram({ data: own }: Pick<Folders, 'data'>): InstalledProgram | undefined {
  const data = [own, '/usr/local/lib/signalbox'].find(text => existsSync(join(text, 'bin/signalbox')))
  if (data === undefined) return undefined
  const file = join(data, 'bin/signalbox')
  const folder = join(data, 'current')
  const program = { folder, version: readPackageVersion(join(folder, 'package.json')) ?? '' }
  const fitting = findNativeHook(program)
  return {
    data,
    file,
    isNative: isNativeHookFile(file),
    usableNativeHook: fitting,
    why: fitting ? '' : explainMissingNativeHook(program),
  }
}

const isNativeHookFile = (file: string): boolean => tryOr(false, () => isNativeHook(readFileSync(file)))

/** How events are answered here: by the daemon or one-shot. */
export interface HookInstallation {
  readonly hook: 'native' | 'one-shot' | 'not installed'
  readonly why?: string
  readonly isOff: boolean
  readonly daemon?: DaemonStatus
  /** the last start of the daemon, if it failed */
  readonly failed?: StartFailure
}

interface StartFailure {
  readonly at: number
  readonly why: string
}

export async function inspectHookInstallation(
  env: DoctorEnvironment,
  folders: Pick<Folders, 'data' | 'state'>,
): Promise<HookInstallation> {
  const installed = findInstalledProgram(folders)
  const daemon = await queryDaemon(folders.state, 'status')
  const failed = daemon ? undefined : lastStartFailure(folders.state)
  const why =
    installed && !installed.isNative ? installed.why || 'the native hook is available but not installed' : undefined
  return {
    hook: installed ? (installed.isNative ? 'native' : 'one-shot') : 'not installed',
    isOff: isDaemonOff(env),
    ...(why !== undefined && { why }),
    ...(daemon && { daemon }),
    ...(failed && { failed }),
  }
}

/** The last start in the log, if it failed and no later one succeeded. */
export function lastStartFailure(state: string): StartFailure | undefined {
  const lines = readDaemonLogOrEmpty(state)
  const at = lines.findLastIndex(line => / (could not start: |started: )/.test(line))
  const failure = /^(\S+) \d+ could not start: (.*)$/.exec(lines[at] ?? '')
  return failure ? { at: Date.parse(failure[1] ?? ''), why: failure[2] ?? '' } : undefined
}

const readDaemonLogOrEmpty = (state: string): readonly string[] =>
  tryOr([], () => readDaemonLog(join(runFolderOf(state), RUN_FILES.log), { last: 100 }))

/** One line for the user. */
export function hookInstallationText(
  { hook, why, isOff: off, daemon, failed }: HookInstallation,
  ago: (at: number) => string,
): string {
  if (hook !== 'native') return `one-shot: ${why ?? '`signalbox init` has not installed it'}`
  if (off) return 'native, but without the daemon: SIGNALBOX_DAEMON is set to off'
  if (daemon) {
    const since = ago(Date.now() - daemon.upMs)
    return `native; daemon running for ${since}, process ${daemon.pid}, ${Math.round(daemon.rss / 1e6)} MB`
  }
  return failed
    ? `native; NO DAEMON, it could not start ${ago(failed.at)} ago: ${failed.why}`
    : 'native; daemon not running, the next call starts it'
}
