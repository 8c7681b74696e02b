import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const NAME = 'signalbox-hook'

/** The package that brings it for this platform. */
export const NATIVE_PACKAGE = `signalbox-hook-${process.platform}-${process.arch}`

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

/** Why there is none, in one line. */
export function whyNoNativeHook({ folder, version }: Program): string {
  const there = candidates(folder).find(file => existsSync(file))
  return there === undefined
    ? `no native hook for ${process.platform}-${process.arch} came with it`
    : `${there} does not run here as ${version}`
}

/** Is this a native hook, whatever it was built for? */
export const isNativeHook = (bytes: Buffer): boolean => !bytes.subarray(0, 2).equals(SCRIPT) && bytes.includes(NAME)

const SCRIPT = Buffer.from('#!')

/** Built for another kind of machine than the Node that runs here. Such a one is not tried: it would be taken for a shell script. */
export function isForeign(bytes: Buffer): boolean {
  const own = Buffer.alloc(HEAD)
  const node = openSync(process.execPath, 'r')
  try {
    readSync(node, own)
  } finally {
    closeSync(node)
  }
  return kindOf(bytes) !== kindOf(own)
}

const HEAD = 20

/** ELF: its class, order of bytes and machine. Else (Mach-O) the first eight bytes say so. */
const kindOf = (bytes: Buffer): string =>
  bytes.toString('latin1', 0, 4) === '\x7fELF'
    ? `${bytes.toString('hex', 0, 6)} ${bytes.toString('hex', 18, HEAD)}`
    : bytes.toString('hex', 0, 8)

function candidates(folder: string): readonly string[] {
  const built = join(folder, 'dist/native', NAME)
  try {
    const name = `${NATIVE_PACKAGE}/package.json`
    return [built, join(dirname(createRequire(join(folder, 'package.json')).resolve(name)), NAME)]
  } catch {
    return [built]
  }
}

const says = (file: string): string | undefined =>
  spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] }).stdout
