import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'

const DEFAULT_MAX_BYTES = 10_000_000

/** Reads the text of a file that somebody else may have put there. */
export const readRegularFile = (file: string, largest = DEFAULT_MAX_BYTES): string =>
  readRegularFileBytes(file, largest).toString('utf8')

/**
 * A pipe or a device named like a policy would block every call. So only regular files are read, and no more bytes than their size.
 * `/proc/kmsg` claims to be a regular file and blocks its readers; other files in `/proc` never end. The file is checked before it
 * is opened, because opening a device may start it, and again afterwards, because it may have been replaced.
 */
export function readRegularFileBytes(file: string, largest = DEFAULT_MAX_BYTES): Buffer {
  assertRegularFile(statSync(file), largest)
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const stat = fstatSync(descriptor)
    assertRegularFile(stat, largest)
    // one byte more than the size: a file that reports size 0 and has content is not on a disk
    const bytes = Buffer.allocUnsafe(stat.size + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (stat.size === 0 && length > 0) throw new Error('it is not a regular file')
    return bytes.subarray(0, Math.min(length, stat.size))
  } finally {
    closeSync(descriptor)
  }
}

function assertRegularFile(stat: { readonly size: number; isFile(): boolean }, largest: number): void {
  if (!stat.isFile()) throw new Error('it is not a regular file')
  if (stat.size > largest) throw new Error(`it is larger than ${largest / 1_000_000} MB`)
}
