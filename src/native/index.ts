import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const NAME = 'signalbox-hook'

/** Who looks for it: the folder of the program, and its version. */
interface Program {
  readonly folder: string
  readonly version: string
}

/**
 * The native hook that runs on this machine, if there is one: built here, or brought by the package for this platform. Not by
 * its name but by running it: an emulated Node, another C library or a folder without the right to execute would be found out at
 * the first event.
 */
export const nativeHook = (program: Program): string | undefined =>
  candidates(program.folder).find(file => says(file) === `${NAME} ${program.version}\n`)

function candidates(folder: string): readonly string[] {
  const built = join(folder, 'dist/native', NAME)
  try {
    const name = `signalbox-hook-${process.platform}-${process.arch}/package.json`
    return [built, join(dirname(createRequire(join(folder, 'package.json')).resolve(name)), NAME)]
  } catch {
    return [built]
  }
}

const says = (file: string): string | undefined =>
  spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] }).stdout
