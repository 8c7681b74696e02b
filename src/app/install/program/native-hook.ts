import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const HOOK_NAME = 'signalbox-hook'

/** The package that brings it for this platform. */
export const NATIVE_PACKAGE = `signalbox-hook-${process.platform}-${process.arch}`

/** Who looks for it: the folder of the program, and its version. */
interface ProgramLocation {
  readonly folder: string
  readonly version: string
}

/**
 * The native hook that runs on this machine, if there is one: built here, or brought by the package for this platform. Not by
 * its name but by running it: an emulated Node, another C library or a folder without the right to execute would be found out at
 * the first event.
 */
export const findNativeHook = (program: ProgramLocation): string | undefined =>
  nativeHookCandidates(program.folder).find(file => readVersionLine(file) === `${HOOK_NAME} ${program.version}\n`)

/** Why there is none, in one line. */
export function explainMissingNativeHook({ folder, version }: ProgramLocation): string {
  const there = nativeHookCandidates(folder).find(file => existsSync(file))
  return there === undefined
    ? `no native hook for ${process.platform}-${process.arch} came with it`
    : `${there} does not run here as ${version}`
}

/** Is this a native hook, whatever it was built for? */
export const isNativeHook = (bytes: Buffer): boolean =>
  !bytes.subarray(0, 2).equals(SCRIPT_START) && bytes.includes(HOOK_NAME)

const SCRIPT_START = Buffer.from('#!')

/** Built for another kind of machine than the Node that runs here. Such a one is not tried: it would be taken for a shell script. */
export function isForForeignMachine(bytes: Buffer): boolean {
  const own = Buffer.alloc(HEADER_BYTES)
  const node = openSync(process.execPath, 'r')
  try {
    readSync(node, own)
  } finally {
    closeSync(node)
  }
  return machineKindOf(bytes) !== machineKindOf(own)
}

const HEADER_BYTES = 20

/** ELF: its class, order of bytes and machine. Else (Mach-O) the first eight bytes say so. */
const machineKindOf = (bytes: Buffer): string =>
  bytes.toString('latin1', 0, 4) === '\x7fELF'
    ? `${bytes.toString('hex', 0, 6)} ${bytes.toString('hex', 18, HEADER_BYTES)}`
    : bytes.toString('hex', 0, 8)

function nativeHookCandidates(folder: string): readonly string[] {
  const built = join(folder, 'dist/native', HOOK_NAME)
  try {
    const name = `${NATIVE_PACKAGE}/package.json`
    return [built, join(dirname(createRequire(join(folder, 'package.json')).resolve(name)), HOOK_NAME)]
  } catch {
    return [built]
  }
}

const readVersionLine = (file: string): string | undefined =>
  spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] }).stdout
