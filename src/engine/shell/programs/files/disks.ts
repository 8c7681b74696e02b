import { type Arg, argSuffix } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'

function readDd(call: ProgramCall): void {
  call.onlyReads = false
  for (const arg of call.line.operands) {
    if (arg.head.startsWith('if=')) addFileAction(call, 'read', argSuffix(arg, 3))
    if (arg.head.startsWith('of=')) addFileAction(call, 'write', argSuffix(arg, 3))
  }
}

const isNumber = ({ text }: Arg): boolean => /^\d+[kKmMgGtTs]?$/.test(text ?? '')

/** `mkfs.ext4 /dev/sdb1`, `mkswap -L x f`: a number behind the disk is a size. With an option of `idle`, or without one of `only`, nothing is written. */
const disk = (values: string, idle: string, only = ''): ProgramDescription => ({
  values,
  special: call => {
    if (only !== '' && !hasOption(call, only)) return
    if (hasOption(call, `-V --version -h --help ${idle}`)) return
    for (const arg of call.line.operands) if (!isNumber(arg)) addFileAction(call, 'write', arg)
  },
})

const makeFileSystem = disk(
  '-b -C -d -E -F -g -G -i -I -J -L -l -m -M -n -N -o -O -r -s -t -T -U -z --type --label --uuid',
  '--dry-run',
)

/** `mkfs.ext4`, `mkfs.xfs` */
export const FILE_SYSTEM_MAKER = /^mkfs\.\w+$/

/** Programs that write to a disk, or to a file that holds one. */
export const DISK_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  dd: { special: readDd },
  mkfs: makeFileSystem,
  mke2fs: makeFileSystem,
  mkswap: disk('-p -L -v -U -e -o -s --pagesize --label --uuid --endianness --offset --size', ''),
  wipefs: disk('-o -t -O -i -J --offset --types --output', '-n --no-act', '-a --all -o --offset'),
  blkdiscard: disk('-o -l -p --offset --length --step', ''),
  ranlib: { flags: '-D -U -t', operands: 'write' },
}
