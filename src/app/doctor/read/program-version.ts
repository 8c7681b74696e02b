import { spawnSync } from 'node:child_process'
import type { DoctorEnvironment } from '../context.ts'

const TIMEOUT_MS = 10_000

/** The version that `--version` prints. */
export function readProgramVersion(program: string, env: DoctorEnvironment): string | undefined {
  const { stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: env.PATH, HOME: env.HOME, NO_COLOR: '1', CI: '1', DISABLE_AUTOUPDATER: '1' },
  })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0]
}
