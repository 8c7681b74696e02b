import { statfsSync } from 'node:fs'

export type JournalMode = 'wal' | 'delete'

/** Linux file systems whose locks or shared memory cannot be trusted: WAL needs both. */
const REMOTE_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x01021997, // 9p
  0x65735546, // FUSE, virtiofs
  0x5346414f, // AFS
  0x73757245, // Coda
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0x786f4256, // VirtualBox
  0xbacbacbc, // VMware
])

/** A rollback journal on file systems where a write-ahead log is unsafe. */
export function journalModeFor(folder: string, fileSystem: (folder: string) => number = fileSystemTypeOf): JournalMode {
  // some kernels return the type as a signed number
  return REMOTE_FILE_SYSTEMS.has(fileSystem(folder) >>> 0) ? 'delete' : 'wal'
}

function fileSystemTypeOf(folder: string): number {
  if (process.platform !== 'linux') return 0
  try {
    return statfsSync(folder).type
  } catch {
    return 0
  }
}
