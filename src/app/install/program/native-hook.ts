import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const HOOK_NAME = 'signalbox-hook'

/** The npm package with the native hook for this platform. */
export const NATIVE_PACKAGE = `signalbox-hook-${process.platform}-${process.arch}`

/** A program's folder and version. */
interface ProgramLocation {
  readonly folder: string
  readonly version: string
}

/**
 * The native hook that runs on this machine, if there is one: built here, or from the package for this platform. Each
 * candidate is run: an emulated Node, another C library or a folder without execute permission would otherwise show only
 * at the first event.
 */
export const findNativeHook = (program: ProgramLocation): string | undefined =>
  nativeHookCandidates(program.folder).find(file => readVersionLine(file) === `${HOOK_NAME} ${program.version}\n`)

/** Why there is no native hook, in one line. */
export function explainMissingNativeHook({ folder, version }: ProgramLocation): string {
  const there = nativeHookCandidates(folder).find(file => existsSync(file))
  return there === undefined
    ? `there is no native hook for ${process.platform}-${process.arch}`
    : `${there} does not run here as version ${version}`
}

/** Whether this is a native hook, for any platform. */
export const isNativeHook = (bytes: Buffer): boolean =>
  !bytes.subarray(0, 2).equals(SCRIPT_START) && bytes.includes(HOOK_NAME)

const SCRIPT_START = Buffer.from('#!')

/** Built for another machine type than the running Node. Such a file is not run: a shell would interpret it as a script. */
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

/** ELF: class, byte order and machine. Otherwise (Mach-O) the first eight bytes. */
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
