import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { statIfExists } from '../../lib/files.ts'
import { sha256Of } from '../../lib/sha256.ts'
import { ensurePrivateFolder, readRegularFileBytes, writeFileAtomically } from '../../policy/index.ts'
import { type Attestation, findAttestations } from './attestation.ts'

/** The command, and the real path of its working directory. */
interface Place {
  readonly argv: readonly string[]
  readonly cwd: string
}

const MAX_AGE_DAYS = 2
const MOST_BYTES = 16_384
const MAX_BYTES = 4096

const folderIn = (state: string): string => join(state, 'runs')

const fileFor = (state: string, { argv, cwd }: Place): string =>
  join(folderIn(state), sha256Of(Buffer.from(JSON.stringify([argv, cwd]))).slice(0, 32))

/**
 * `signalbox run` also writes its signed line to the state folder. The hook finds it there if the call ended before its command. A sandbox
 * may forbid the write; then the agent has to read the line.
 */
export function leaveAttestation(state: string, location: Place, line: string): void {
  try {
    ensurePrivateFolder(folderIn(state))
    const file = fileFor(state, location)
    shorten(file)
    const flags =
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const descriptor = openSync(file, flags, 0o600)
    try {
      writeSync(descriptor, `${line}\n`)
    } finally {
      closeSync(descriptor)
    }
    removeOld(folderIn(state))
  } catch {
    // then only the line on stderr exists
  }
}

/** The lines that were written for this command. Their signatures are not checked here. */
export function attestationsFor(state: string, location: Place): readonly Attestation[] {
  let descriptor: number
  try {
    descriptor = openSync(fileFor(state, location), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return []
  }
  try {
    return findAttestations(endOf(descriptor))
  } catch {
    return []
  } finally {
    closeSync(descriptor)
  }
}

function endOf(descriptor: number): string {
  const { size, mode } = fstatSync(descriptor)
  if ((mode & constants.S_IFMT) !== constants.S_IFREG) return ''
  const buffer = Buffer.alloc(Math.min(size, MOST_BYTES * 2))
  const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length)
  return buffer.toString('latin1', 0, read)
}

/** Keeps the latest lines of a command that runs often. */
function shorten(file: string): void {
  const { size = 0 } = statIfExists(file) ?? {}
  if (size >= MOST_BYTES) writeFileAtomically(file, readRegularFileBytes(file).subarray(-MAX_BYTES).toString('latin1'))
}

function removeOld(folder: string): void {
  const oldest = Date.now() - MAX_AGE_DAYS * 86_400_000
  for (const name of readdirSync(folder)) {
    const { mtimeMs = oldest } = statIfExists(join(folder, name)) ?? {}
    if (mtimeMs < oldest) rmSync(join(folder, name), { force: true })
  }
}
