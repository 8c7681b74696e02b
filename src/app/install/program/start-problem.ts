import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tryOr } from '../../../lib/errors.ts'
import { isLauncherText } from './launchers.ts'
import { isForForeignMachine, isNativeHook } from './native-hook.ts'

/** Files without which no call is judged. */
export const REQUIRED_FILES = [
  'bin/signalbox.cjs',
  ...['entry', 'engine', 'compiler', 'shell', 'read-only', 'embedded-code', 'rare-programs', 'tool-shape', 'regex'].map(
    name => `dist/${name}.cjs`,
  ),
  'dist/cli.mjs',
]

const START_TIMEOUT_MS = 10_000

/** Whether `init` wrote this launcher. */
export const isLauncherFile = (file: string): boolean => tryOr(false, () => isLauncherText(readFileSync(file)))

/** Why the program behind this launcher would judge no call: a file is missing, or it does not start. */
export function findStartProblem(
  launcher: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const folder = join(dirname(dirname(launcher)), 'current')
  for (const name of REQUIRED_FILES) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    if (!stat?.size) return `${join(folder, name)} is ${stat ? 'empty' : 'gone'}`
  }
  const started = readFileSync(launcher)
  if (isNativeHook(started) && isForForeignMachine(started))
    return 'it does not start: it is built for another kind of machine'
  const { stdout, stderr, error, status } = spawnSync(launcher, ['version'], {
    encoding: 'utf8',
    timeout: START_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: env.PATH, HOME: env.HOME },
  })
  if (status === 0 && /^\d+\.\d+\.\d+/.test(stdout)) return undefined
  return `it does not start: ${stderr?.trim().split('\n')[0] || describeSpawnError(error) || `exit ${status}`}`
}

/** The home folder may be on a file system without execute permission. */
function describeSpawnError(error: (Error & { readonly code?: string }) | undefined): string | undefined {
  if (error?.code === 'EACCES')
    return 'it cannot be run: it is not executable, or its file system is mounted with noexec'
  return error?.message
}
