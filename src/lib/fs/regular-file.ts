import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'

const DEFAULT_MAX_BYTES = 10_000_000

/** Text of a file that somebody else may have put there. */
export const readRegularFile = (file: string, largest = DEFAULT_MAX_BYTES): string =>
  readRegularFileBytes(file, largest).toString('utf8')

/**
 * A pipe or a device named like a policy would hold every call up for ever: only regular files are read, and of them no more than
 * they say they hold. `/proc/kmsg` calls itself a regular file, and whoever reads it waits; others in `/proc` never end. The file is
 * looked at before it is opened, for to open a device may set it to work, and once more behind it, for it may be another by then.
 */
export function readRegularFileBytes(file: string, largest = DEFAULT_MAX_BYTES): Buffer {
  assertRegularFile(statSync(file), largest)
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const stat = fstatSync(descriptor)
    assertRegularFile(stat, largest)
    // one more than there should be: what says that it is empty and is not, lies on no disk
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
