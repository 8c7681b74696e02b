import { createInterface } from 'node:readline'
import { known as agents } from '../clients/known.ts'
import { auditExport } from './audit-export.ts'
import { auditVerify } from './audit-verify.ts'
import { bypass } from './bypass.ts'
import { check } from './check.ts'
import { type Command, type ExitCode, helpOf, runCommand, type Terminal } from './command.ts'
import { daemonLogs } from './daemon-logs.ts'
import { daemonStart } from './daemon-start.ts'
import { daemonStatus } from './daemon-status.ts'
import { daemonStop } from './daemon-stop.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { graph } from './graph.ts'
import { hookCommand } from './hook-command.ts'
import { init } from './init.ts'
import { log } from './log.ts'
import { off } from './off.ts'
import { on } from './on.ts'
import { doubtOf } from './person.ts'
import { policyShow } from './policy-show.ts'
import { processTable } from './processes.ts'
import { replayCommand } from './replay.ts'
import { run } from './run.ts'
import { stats } from './stats.ts'
import { status } from './status.ts'
import { test } from './test.ts'
import { trust } from './trust.ts'
import { ui } from './ui.ts'
import { uninstall } from './uninstall.ts'
import { version } from './version.ts'
import { inWindow } from './wrap.ts'

/** One verb a file; a new command is one file and one line here. */
export const commands: readonly Command[] = [
  auditExport,
  auditVerify,
  bypass,
  check,
  daemonLogs,
  daemonStart,
  daemonStatus,
  daemonStop,
  demo,
  doctor,
  explain,
  graph,
  hookCommand,
  init,
  log,
  off,
  on,
  policyShow,
  replayCommand,
  run,
  stats,
  status,
  test,
  trust,
  ui,
  uninstall,
  version,
]

export async function main(argv: readonly string[], terminal: Terminal = thisTerminal()): Promise<ExitCode> {
  const [first = '', second = ''] = argv
  const shown = inWindow(terminal)
  if (first === 'help' && second !== '') return main([...argv.slice(1), '--help'], terminal)
  if (first === '' || isHelp(first)) {
    shown.out(overview())
    return first === '' ? 2 : 0
  }
  if (first === '--version') return version.run({ values: {}, positionals: [], terminal })
  const command = commands.find(({ name }) => isNamed(name, argv))
  const family = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (!command && family.length > 0 && (second === '' || isHelp(second))) {
    shown.out(family.map(helpOf).join('\n'))
    return second === '' ? 2 : 0
  }
  if (!command) {
    const words = family.map(({ name }) => name.slice(first.length + 1)).join(', ')
    const what = words ? `\`${first} ${second}\`: it is \`${first}\` with ${words}` : `\`${first}\`${nearest(first)}`
    shown.err(`signalbox: unknown command ${what}\n\`signalbox --help\` lists them.\n`)
    return 2
  }
  try {
    return await runCommand(command, argv.slice(command.name.split(' ').length), terminal)
  } catch (error) {
    shown.err(`signalbox ${command.name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

const isNamed = (name: string, argv: readonly string[]): boolean =>
  name.split(' ').every((word, at) => argv[at] === word)

const isHelp = (word: string): boolean => word === 'help' || word === '--help' || word === '-h'

function overview(): string {
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`)
  return ['Signalbox: one hook for coding agents.', '', 'usage  signalbox <command> [--help]', '', ...rows, ''].join(
    '\n',
  )
}

function nearest(word: string): string {
  const found = commands.find(({ name }) => name.startsWith(word.slice(0, 2)) || name.endsWith(` ${word}`))
  return found ? `; did you mean \`${found.name}\`?` : ''
}

function thisTerminal(): Terminal {
  // looking at every process takes a while, and few commands ask
  let known: { readonly doubt: string | undefined } | undefined
  const doubt = () => {
    known ??= { doubt: doubtHere() }
    return known.doubt
  }
  return {
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    window: { out: process.stdout.isTTY === true, err: process.stderr.isTTY === true },
    canAsk: process.stdin.isTTY === true && process.stdout.isTTY === true,
    width: process.stdout.columns || Number(process.env.COLUMNS) || 80,
    get isPerson() {
      return doubt() === undefined
    },
    get doubt() {
      return doubt()
    },
    ask: question =>
      new Promise(done => {
        const lines = createInterface({ input: process.stdin, output: process.stdout })
        // Ctrl+C and Ctrl+D are an answer too: none
        const leave = () => {
          process.stdout.write('\n')
          done('')
        }
        lines.once('close', leave)
        lines.question(question, answer => {
          lines.off('close', leave)
          lines.close()
          done(answer)
        })
      }),
  }
}

function doubtHere(): string | undefined {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return 'there is no terminal'
  return doubtOf({ pid: process.pid, table: processTable(), env: process.env, agents })
}
