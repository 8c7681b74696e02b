import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Without one of these no call is judged. */
export const NEEDED_FILES = [
  'bin/signalbox.cjs',
  ...['entry', 'engine', 'compiler', 'shell', 'regex'].map(name => `dist/${name}.cjs`),
  'dist/cli.mjs',
]

const PATIENCE_MS = 10_000

/** Is it a launcher that `init` wrote? */
export function isLauncher(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('# Signalbox. Written by `signalbox init`')
  } catch {
    return false
  }
}

/** Why the program that this launcher starts would judge no call: a part of it is gone, or it does not start. */
export function unwhole(launcher: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = join(dirname(dirname(launcher)), 'current')
  for (const name of NEEDED_FILES) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    if (!stat?.size) return `${join(folder, name)} is ${stat ? 'empty' : 'gone'}`
  }
  const { stdout, stderr, error, status } = spawnSync(launcher, ['version'], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: env.PATH, HOME: env.HOME },
  })
  if (status === 0 && /^\d+\.\d+\.\d+/.test(stdout)) return undefined
  return `it does not start: ${stderr?.trim().split('\n')[0] || error?.message || `exit ${status}`}`
}
