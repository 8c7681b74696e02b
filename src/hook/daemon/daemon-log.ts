import { closeSync, constants, fstatSync, lstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { tryOr } from '../../lib/errors.ts'
import { lstatIfExists } from '../../lib/files.ts'
import { readRegularFile } from '../../policy/index.ts'

/** Size at which the log is rotated. One older file is kept. */
const MAX_BYTES = 128 * 1024
const MAX_LINE = 500

/** The daemon's log, for people. Errors while writing are ignored. */
export class DaemonLog {
  constructor(private readonly file: string) {}

  write(line: string): void {
    try {
      const size = lstatIfExists(this.file)?.size ?? 0
      if (size > MAX_BYTES) renameSync(this.file, `${this.file}.1`)
      const [first = ''] = line.split('\n', 1)
      const entry = `${new Date().toISOString()} ${process.pid} ${first.slice(0, MAX_LINE)}\n`
      appendToOwnFile(this.file, entry)
    } catch {
      // the disk may be full, or the folder gone
    }
  }
}

/** Writes only to a regular file without other names: a link in its place must not redirect the write. */
function appendToOwnFile(file: string, entry: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const found = fstatSync(handle)
    if (found.isFile() && found.nlink === 1) writeSync(handle, entry)
  } finally {
    closeSync(handle)
  }
}

/** The latest lines, oldest first. */
export function readDaemonLog(file: string, { last }: { readonly last: number }): readonly string[] {
  return [`${file}.1`, file].flatMap(readLines).slice(-last)
}

/** Empty if the file or its folder does not exist. */
const readLines = (file: string): readonly string[] =>
  tryOr([], () => (lstatSync(file).isFile() ? readRegularFile(file).split('\n').filter(Boolean) : []))
