import { type Arg, literalArg } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addOpaqueAction, type ProgramCall } from '../../calls/program-call.ts'
import { addPossibleCommands, findCommandStart, type WrapperSpec, wrapperDescription } from './wrapper-spec.ts'

/** Names that `setarch` takes for an architecture. Each is also a program that does the same. */
const ARCHITECTURES =
  'linux32 linux64 x86_64 i386 i486 i586 i686 athlon ppc ppc32 ppc64 ppc64le ppcle s390 s390x sparc sparc32 sparc64 mips mips32 mips64 ia64 parisc parisc32 parisc64 hppa alpha arm armv6l armv7l armv8l armh aarch64 riscv32 riscv64 loongarch64 e2k uname26'.split(
    ' ',
  )

const PERSONALITY: WrapperSpec = {
  flags:
    '-R -v -3 -B -F -I -L -S -T -X -Z --32bit --fdpic-funcptrs --short-inode --addr-compat-layout --addr-no-randomize --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 --verbose',
  keeps: true,
}

/** `setarch [architecture] [options] command`: the first word is the command, or more options and the command follow it. */
function readSetarch(call: ProgramCall): void {
  const { at } = findCommandStart(call, PERSONALITY)
  const first = call.args[at]
  call.own = at
  if (first === undefined) return
  addPossibleCommands(call, at + 1, first.text === null)
  const rest = call.args.slice(at + 1)
  const isArchitecture = ARCHITECTURES.includes(first.text ?? '')
  if (!isArchitecture) call.inner.push({ run: call.args.slice(at), keeps: true })
  if (!isArchitecture && rest.length > 0) addOpaqueAction(call)
  if (rest.length > 0)
    call.inner.push({ run: rest[0]?.head.startsWith('-') ? [literalArg('linux64'), ...rest] : rest, keeps: true })
}

/** `capsh options -- words` starts bash with the words, and `capsh options == words` starts capsh with them. */
function readCapsh(call: ProgramCall): void {
  const at = call.args.findIndex(({ text }, nth) => nth > 0 && /^(--|-\+|==|=\+)$/.test(text ?? ''))
  if (call.args.some(({ text, head }) => text === null || /^--(shell|chroot)/.test(head))) addOpaqueAction(call)
  if (at === -1) return
  const program = call.args[at]?.text?.startsWith('=') ? 'capsh' : 'bash'
  call.inner.push({ run: [literalArg(program), ...call.args.slice(at + 1)] })
}

/** `start-stop-daemon -S -x program -- words` */
function readStartStopDaemon(call: ProgramCall): void {
  const end = call.args.findIndex(({ text }) => text === '--')
  const words = end === -1 ? call.line.operands : call.args.slice(end + 1)
  const programs = call.line.options.flatMap(({ name, value }): Arg[] =>
    /^(-[xa]|--(ex?e?c?|star?t?a?s?))$/.test(name) && value !== undefined ? [value] : [],
  )
  for (const program of programs) call.inner.push({ run: [program, ...words] })
  // the folder, the root or an abbreviation may be another one
  addOpaqueAction(call)
}

const personality = wrapperDescription(PERSONALITY)

/** Wrappers that change what the kernel shows to a command, or which program loads or guards it. */
export const KERNEL_WRAPPERS: Readonly<Record<string, ProgramDescription>> = {
  ...Object.fromEntries(ARCHITECTURES.map(name => [name, personality])),
  setarch: { inner: () => undefined, special: readSetarch },
  // macOS
  arch: {
    ...wrapperDescription({
      // `-e` sets a variable, which may be `PATH`
      values: '-arch -d',
      flags: '-32 -64 -c -h -i386 -x86_64 -x86_64h -arm64 -arm64e -ppc',
      keeps: true,
      pure: true,
    }),
    onlyReads: true,
  },
  capsh: { inner: () => undefined, special: readCapsh },
  'ssh-agent': wrapperDescription({ values: '-a -E -O -P -t', flags: '-c -s -D -d -k -T -u -U', keeps: true }),
  'start-stop-daemon': {
    flags:
      '-S -K -T -H -V -t -v -q -o -b -C -m --start --stop --status --test --verbose --quiet --oknodo --background --make-pidfile --remove-pidfile --no-close',
    values:
      '-x -a -p -u -g -n -s -c -r -d -N -P -I -k -R -O --exec --startas --pidfile --user --group --name --signal --chuid --chroot --chdir --nicelevel --procsched --iosched --umask --retry --output --notify-timeout --ppid --pid',
    special: readStartStopDaemon,
  },
}

/** `ld.so program`, `/lib64/ld-linux-x86-64.so.2 program`: the dynamic loader runs the program. */
export const LOADER_NAME = /^ld(-[\w.-]+)?\.so(\.\d+)*$/
export const loaderDescription = wrapperDescription({
  values: '--library-path --preload --argv0 --audit --inhibit-rpath --glibc-hwcaps-prepend --glibc-hwcaps-mask',
  flags: '--list --verify --inhibit-cache --list-tunables --list-diagnostics',
  keeps: true,
  more: (call, given) => {
    // each of these shows something and runs nothing
    if (given.some(name => /^--(list|verify)/.test(name))) call.idle = true
    // a library or another name may change what the program does
    if (given.some(name => /^--(library-path|preload|argv0|audit)$/.test(name))) addOpaqueAction(call)
  },
})
