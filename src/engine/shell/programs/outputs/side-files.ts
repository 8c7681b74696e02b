import { argSuffix, literalArg } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileAction, addOpaqueAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'

/** `-g 'pid /run/x.pid; error_log f;'`: nginx directives in its configuration syntax. */
function readNginx(call: ProgramCall): void {
  for (const { name, value } of call.line.options)
    if (name === '-g')
      for (const [, file = ''] of (value?.text ?? '').matchAll(/\b(?:pid|error_log|lock_file)\s+([^\s;]+)/g))
        addFileAction(call, 'write', literalArg(file))
}

/** Options of gdb with a command, or with a file of commands. Any beginning of a name is enough, behind one dash or two. */
const GDB_COMMAND = /^--?(e|i|x|com)/

/** `ld -Map=f`, `as -al=f`: the file behind such an option. */
const writeAttached =
  (option: RegExp) =>
  (call: ProgramCall): void => {
    for (const arg of call.args) {
      const found = option.exec(arg.head)?.[0]
      if (found !== undefined) addFileAction(call, 'write', argSuffix(arg, found.length))
    }
  }

/** Programs with options that name an output file for a log, a state, a process id or recorded data. */
export const SIDE_FILE_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  gdb: {
    special: call => {
      if (call.args.some(({ head, text }) => GDB_COMMAND.test(head) || (text === null && /^-*$/.test(head))))
        addOpaqueAction(call)
    },
  },
  ld: {
    values: '-L -l -m -e',
    writes: '-o -Map --output --out-implib --dependency-file',
    operands: 'read',
    special: writeAttached(/^--?Map=/),
  },
  as: { values: '-I', writes: '-o', operands: 'read', special: writeAttached(/^-a\w*=/) },
  objcopy: { special: call => addFileAction(call, 'write', call.line.operands.at(-1)) },
  // the first word has the letters, with or without a dash
  ar: { special: call => addFileAction(call, 'write', call.args[2]) },
  logsave: { flags: '-a -s -v', special: call => addFileAction(call, 'write', call.line.operands[0]) },
  nginx: { flags: '-t -T -q -v -V', values: '-s -g', reads: '-c -p', writes: '-e', special: readNginx },
  'ssh-keygen': {
    flags: '-q -y -l -L',
    values: '-t -b -C -N -P -m -F -f',
    writes: '-s',
    special: call => {
      // a fingerprint, a certificate, a known host
      const shows = hasOption(call, '-l -L -F') && !hasOption(call, '-p -c -R -H')
      for (const { name, value } of call.line.options)
        if (name === '-f' && value) addFileAction(call, shows ? 'read' : 'write', value)
    },
  },
}

/** Programs that a table says all about, which is loaded when one of them is called. */
const TABLED: ReadonlySet<string> = new Set(
  'logrotate sftp tcpdump tshark dumpcap nmap mysqldump pg_dump pg_dumpall pg_basebackup mongodump xmllint xsltproc ctags cscope bison flex nasm strip uudecode lockfile clang-format gofmt shfmt tidy daemonize redis-server dnsmasq sshd gunicorn uwsgi supervisord haproxy memcached'.split(
    ' ',
  ),
)
export const isTabled = (name: string): boolean => TABLED.has(name)
