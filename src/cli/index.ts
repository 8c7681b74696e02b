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
import { policyShow } from './policy-show.ts'
import { openProject } from './project.ts'
import { replayCommand } from './replay.ts'
import { routeCommand } from './route.ts'
import { run } from './run.ts'
import { statsBy } from './stats.ts'
import { status } from './status.ts'
import { test } from './test.ts'
import { thisTerminal } from './this-terminal.ts'
import { trust } from './trust.ts'
import { ui } from './ui.ts'
import { uninstall } from './uninstall.ts'
import { version } from './version.ts'
import { inWindow } from './wrap.ts'

const stats = statsBy({ gatesAt: terminal => openProject(terminal).policy.program.gates })

/** One verb a file; a new command is one file and one word here. */
const GROUPS: readonly (readonly [string, readonly Command[]])[] = [
  ['Start here', [init, status, doctor, demo]],
  ['Your policy', [check, test, explain, replayCommand, graph, policyShow, trust, routeCommand]],
  ['What happened', [log, stats, ui, auditVerify, auditExport]],
  ['In an emergency', [bypass, off, on]],
  ['Behind it', [hookCommand, run, daemonStart, daemonStop, daemonStatus, daemonLogs, uninstall, version]],
]

/** By name. */
export const commands: readonly Command[] = GROUPS.flatMap(([, group]) => group).sort((a, b) =>
  a.name < b.name ? -1 : 1,
)

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
  // two blanks at least: by them a narrow window knows the second column
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  const groups = GROUPS.flatMap(([title, group]) => [
    '',
    title,
    ...group.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
  ])
  return ['Signalbox: one hook for coding agents.', '', 'usage  signalbox <command> [--help]', ...groups, ''].join('\n')
}

function nearest(word: string): string {
  const found = commands.find(({ name }) => name.startsWith(word.slice(0, 2)) || name.endsWith(` ${word}`))
  return found ? `; did you mean \`${found.name}\`?` : ''
}
