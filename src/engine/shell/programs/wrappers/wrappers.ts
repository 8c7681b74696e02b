import { scriptTextOf, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileAction, addFileActions, addOpaqueAction, type ProgramCall } from '../../calls/program-call.ts'
import { KERNEL_WRAPPERS } from './kernel-wrappers.ts'
import { addOpaqueUnlessScript } from './other-users.ts'
import { createWrapperReader, findCommandStart, wrapperDescription } from './wrapper-spec.ts'
import { XARGS_DESCRIPTION } from './xargs.ts'

function readFlock(call: ProgramCall): void {
  addFileAction(call, 'write', call.line.operands[0])
}

/** `parallel cmd ::: args` */
function readParallel(call: ProgramCall): void {
  addOpaqueAction(call)
  const { at } = findCommandStart(call, {
    values: '-j --jobs -a --colsep --delay --timeout',
    flags: '-k -X --keep-order --bar',
  })
  const end = call.args.findIndex(arg => /^:::+\+?$/.test(arg.text ?? ''))
  const words = call.args.slice(at, end === -1 ? undefined : end)
  if (words.length === 1 && words[0]?.text?.includes(' ')) call.inner.push({ run: { script: scriptTextOf(words[0]) } })
  else if (words.length > 0)
    call.inner.push({ run: [...words.map(arg => (arg.text?.includes('{') ? UNKNOWN_ARG : arg)), UNKNOWN_ARG] })
}

/** `at now <<< 'cmd'`: the input is a script for later. */
const later: ProgramDescription = {
  special: call => {
    if (call.stdin !== undefined) call.inner.push({ run: { script: call.stdin } })
  },
}

function readCommandBuiltin(call: ProgramCall): void {
  if (/^-[pvV]*[vV]/.test(call.args[1]?.text ?? '')) {
    call.onlyReads = true
    call.idle = true
  } else createWrapperReader({ flags: '-p', keeps: true, shares: true, pure: true })(call)
}

function readSignalbox(call: ProgramCall): void {
  // with a word before the `--`, `signalbox run` runs nothing
  const run = call.args.slice(3)
  if (run.length > 0 && call.args.slice(1, 3).some(arg => arg.text === null)) addOpaqueAction(call)
  if (call.args[1]?.text !== 'run' || call.args[2]?.text !== '--' || run.length === 0) return
  call.own = 3
  call.inner.push({ run, keeps: true, attested: true })
}

const signalbox: ProgramDescription = { inner: () => undefined, special: readSignalbox }
const plainWrapper = wrapperDescription({ keeps: true })

const timeout = wrapperDescription({
  numbers: '-s -k --signal --kill-after',
  flags: '-v -f -p --preserve-status --foreground --verbose',
  skip: 1,
  counts: true,
  keeps: true,
  pure: true,
})

export const WRAPPER_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  env: {
    ...wrapperDescription({
      values: '-u -C --unset --chdir',
      flags: '-i -0 -v - --ignore-environment --null --debug',
      script: '-S --split-string',
      splits: true,
      assigns: true,
      keeps: true,
      pure: true,
      more: (call, given) => {
        if (given.some(name => /^(-\w*[CS]|--chdir|--split-string)/.test(name))) addOpaqueAction(call)
      },
    }),
    onlyReads: true,
  },
  nohup: plainWrapper,
  nice: wrapperDescription({ numbers: '-n --adjustment', keeps: true, pure: true }),
  timeout,
  gtimeout: timeout,
  stdbuf: wrapperDescription({ numbers: '-i -o -e --input --output --error', keeps: true, pure: true }),
  setsid: wrapperDescription({ flags: '-c -f -w --ctty --fork --wait', pure: true }),
  time: {
    ...wrapperDescription({ values: '-f -o --format --output', flags: '-a -p -v -q -l -h', keeps: true, pure: true }),
    writes: '-o --output',
    values: '-f --format',
  },
  builtin: wrapperDescription({ keeps: true, shares: true, pure: true }),
  command: { flags: '-p -v -V', inner: () => undefined, special: readCommandBuiltin },
  exec: wrapperDescription({
    values: '-a',
    flags: '-c -l',
    keeps: true,
    pure: true,
    more: (call, given) => {
      // `exec -a name`: a multi-call program such as busybox acts according to that name
      if (given.some(name => /^-[cl]*a/.test(name))) addOpaqueAction(call)
    },
  }),
  xargs: XARGS_DESCRIPTION,
  watch: wrapperDescription({
    numbers: '-n --interval',
    flags: '-d -t -b -e -g -c -x -p --differences --no-title --color',
    joins: true,
    pure: true,
  }),
  parallel: { inner: () => undefined, special: readParallel },
  script: {
    ...wrapperDescription({
      script: '-c --command',
      trailing: 'anywhere',
      values:
        '-E -I -O -B -T -o -m --echo --log-in --log-out --log-io --log-timing --output-limit --logging-format --timing',
      flags: '-a -e -f -q --append --return --flush --quiet --force',
      optional: '-t',
      more: (call, given) => {
        addFileActions(call, 'write', call.line.operands)
        // without a command a shell reads its input
        if (call.stdin !== undefined) addOpaqueUnlessScript(call, given)
      },
    }),
    values: '-c --command -E -o -m --echo --output-limit --logging-format',
    writes: '-I -O -B -T -t --log-in --log-out --log-io --log-timing --timing',
  },
  flock: wrapperDescription({
    script: '-c --command',
    trailing: 'first',
    values: '-w -E --timeout --wait --conflict-exit-code',
    flags: '-s -x -e -u -n -o -F -v --shared --exclusive --nonblock --close',
    skip: 1,
    keeps: true,
    more: readFlock,
  }),
  'xvfb-run': {
    ...wrapperDescription({
      values: '-e -f -n -p -s -w --server-args --server-num --error-file --auth-file',
      flags: '-a -l --auto-servernum',
      keeps: true,
    }),
    values: '-n -p -s -w --server-args --server-num',
    writes: '-e -f --error-file --auth-file',
  },
  at: later,
  batch: later,
  crontab: {
    special: call => {
      if (call.stdin !== undefined) addOpaqueAction(call)
    },
  },
  // zsh
  noglob: plainWrapper,
  nocorrect: plainWrapper,
  '-': plainWrapper,
  // `repeat 0` runs nothing and succeeds
  repeat: wrapperDescription({ skip: 1 }),
  emulate: { special: addOpaqueAction },
  busybox: plainWrapper,
  toybox: plainWrapper,
  chronic: plainWrapper,
  unbuffer: plainWrapper,
  fakeroot: plainWrapper,
  strace: {
    ...wrapperDescription({
      values: '-o -e -p -s -P -u -a --output --trace',
      flags: '-f -c -C -t -r -T -v -q -y -x -i',
      keeps: true,
    }),
    writes: '-o --output',
  },
  ...KERNEL_WRAPPERS,
  'dbus-run-session': wrapperDescription({ keeps: true }),
  'systemd-inhibit': wrapperDescription({ values: '--what --who --why --mode', keeps: true }),
  numactl: wrapperDescription({ keeps: true }),
  ltrace: {
    ...wrapperDescription({ values: '-o -e -p -s -u -a --output', flags: '-f -c -t -r -T -S -i', keeps: true }),
    values: '-e -p -s -u -a',
    writes: '-o --output',
  },
  valgrind: { ...plainWrapper, writes: '--log-file --xml-file --callgrind-out-file --massif-out-file --dhat-out-file' },
  signalbox,
  'signalbox.cjs': signalbox,
  'signalbox.sh': signalbox,
}
