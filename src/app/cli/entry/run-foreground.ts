import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, fstatSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'

/** How a command ended, with the status that a shell reports. */
export interface ProcessEnd {
  readonly status: number
  readonly signal?: NodeJS.Signals
  /** why the command could not start */
  readonly problem?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Runs the command with our descriptors, process group and signals, without a shell in between. */
export function runForeground(
  [program = '', ...args]: readonly string[],
  env: Environment = process.env,
): Promise<ProcessEnd> {
  return new Promise(done => {
    const fail = (error: NodeJS.ErrnoException) => done(describeStartFailure(program, error))
    let child: ChildProcess | undefined
    // installed before the spawn: a signal in between would end us and leave the child running
    forwardSignals(signal => child?.kill(signal))
    try {
      child = spawn(program, args, { stdio: inheritedDescriptors(args, env.MAKEFLAGS) })
      child.on('error', fail)
      child.on('exit', (code, signal) =>
        done(signal ? { status: 128 + constants.signals[signal], signal } : { status: code ?? 1 }),
      )
    } catch (error) {
      fail(error as NodeJS.ErrnoException)
    }
  })
}

/** Descriptors 0 to 2, and those named in arguments (`/dev/fd/63` of `<(…)`) or in make's jobserver. Node passes on no others. */
function inheritedDescriptors(args: readonly string[], makeflags = ''): ('inherit' | 'ignore' | number)[] {
  const named = args.flatMap(arg => [...arg.matchAll(/\/dev\/fd\/(\d{1,3})\b/g)].map(([, number]) => Number(number)))
  const [, read, write] = /--jobserver-(?:auth|fds)=(\d{1,3}),(\d{1,3})\b/.exec(makeflags) ?? []
  const wanted = [...named, Number(read ?? 0), Number(write ?? 0)].filter(n => n > 2 && existsSync(`/dev/fd/${n}`))
  const list = Array<'inherit' | 'ignore' | number>(Math.max(2, ...wanted) + 1)
    .fill('ignore')
    .fill('inherit', 0, 3)
  for (const n of wanted) list[n] = n
  return list
}

function describeStartFailure(program: string, { code, message }: NodeJS.ErrnoException): ProcessEnd {
  if (code === 'ENOENT' && program.includes('/') && existsSync(program))
    return { status: 126, problem: `${program}: its interpreter was not found` }
  if (code === 'ENOENT' || program === '') return { status: 127, problem: `${program || "''"}: command not found` }
  const why = code === 'EACCES' ? 'not executable' : code === 'E2BIG' ? 'too many or too long arguments' : message
  return { status: 126, problem: `${program}: ${why}` }
}

const FORWARDED_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGALRM']
/** A terminal sends these signals to its whole foreground group, which includes the command. Forwarding would deliver them twice. */
const TERMINAL_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

function forwardSignals(send: (signal: NodeJS.Signals) => void): void {
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => send(signal))
  for (const signal of TERMINAL_SIGNALS) process.on(signal, () => isForegroundGroup() || send(signal))
  process.on('SIGTSTP', () => {
    if (!isForegroundGroup()) send('SIGTSTP')
    process.kill(process.pid, 'SIGSTOP')
  })
  process.on('SIGCONT', () => send('SIGCONT'))
}

/** `pid (name) state parent group session terminal front …`: true if our group is the terminal's foreground group. */
function isForegroundGroup(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const [, , group, , , front] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group === front
  } catch {
    // not Linux: a process with a terminal is assumed to be in the foreground
    return fstatSync(0).isCharacterDevice()
  }
}
