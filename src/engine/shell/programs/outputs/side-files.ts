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
  logrotate: { flags: '-d -f -v --debug --force --verbose', values: '-m --mail', writes: '-s --state -l --log' },
  gdb: {
    special: call => {
      if (call.args.some(({ head, text }) => GDB_COMMAND.test(head) || (text === null && /^-*$/.test(head))))
        addOpaqueAction(call)
    },
  },
  sftp: { runs: '-S -D -F -o -b' },
  tcpdump: { flags: '-n -nn -v -X -A -q -e -l', values: '-i -c -s', reads: '-r -F', writes: '-w -z' },
  tshark: { flags: '-n -V -q -l', values: '-i -c -f -Y -T', reads: '-r', writes: '-w' },
  dumpcap: { values: '-i -c -f', writes: '-w' },
  nmap: { flags: '-A -v -n -Pn -F', values: '-p', reads: '-iL', writes: '-oN -oX -oS -oG -oA' },
  mysqldump: { values: '-u -h -P --user --host --port', writes: '-r -T --result-file --tab --log-error --debug' },
  pg_dump: { values: '-h -p -U -d -F -n -t', writes: '-f --file' },
  pg_dumpall: { values: '-h -p -U -d', writes: '-f --file' },
  pg_basebackup: { values: '-h -p -U -d', writes: '-D --pgdata' },
  mongodump: { values: '--uri -d -c --db --collection', writes: '-o --out --archive' },
  xmllint: { flags: '--noout --format --recover', values: '--xpath --schema', writes: '-o --output', operands: 'read' },
  xsltproc: { values: '--stringparam --param', writes: '-o --output', operands: 'read' },
  ctags: { flags: '-R -a -e', writes: '-f -o', operands: 'read' },
  cscope: { flags: '-b -R -q -k', reads: '-i', writes: '-f' },
  bison: { flags: '-d -v -y', writes: '-o -b --output --report-file --defines --graph', operands: 'read' },
  flex: { writes: '-o --outfile --header-file --tables-file --backup-file', operands: 'read' },
  nasm: { values: '-f -F -D -I', writes: '-o -l -Z -MF', operands: 'read' },
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
  strip: { flags: '-s -g -d -S', writes: '-o', operands: 'write' },
  uudecode: { flags: '-c -i', writes: '-o', operands: 'read' },
  lockfile: { flags: '-!', values: '-l -s', operands: 'write' },
  logsave: { flags: '-a -s -v', special: call => addFileAction(call, 'write', call.line.operands[0]) },
  'clang-format': { flags: '-i', values: '--style', operands: 'write' },
  gofmt: { flags: '-l -d -s', alters: '-w', operands: 'write' },
  shfmt: { flags: '-l -d -s', alters: '-w', values: '-i', operands: 'write' },
  tidy: { flags: '-q -i -e', alters: '-m', writes: '-o -f -output-file -error-file', operands: 'write' },
  daemonize: { flags: '-a -v', values: '-u -E -c', writes: '-p -l -o -e' },
  'redis-server': { values: '--port --bind', writes: '--pidfile --logfile --dbfilename --dir' },
  dnsmasq: { flags: '-d -k', values: '-p', reads: '-C', writes: '-x -8 -l --pid-file --log-facility --dhcp-leasefile' },
  nginx: { flags: '-t -T -q -v -V', values: '-s -g', reads: '-c -p', writes: '-e', special: readNginx },
  sshd: { flags: '-D -d -e -t -T', values: '-o -p', reads: '-f', writes: '-E' },
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
  gunicorn: { values: '-b -w', writes: '-p --pid --log-file --error-logfile --access-logfile' },
  uwsgi: { values: '--http --socket', writes: '-d --daemonize --pidfile --pidfile2 --logto --logto2' },
  supervisord: { flags: '-n', reads: '-c', writes: '-l -j --logfile --pidfile' },
  haproxy: { flags: '-D -c -q', reads: '-f', writes: '-p' },
  memcached: { flags: '-d', values: '-p -m -u', writes: '-P' },
}
