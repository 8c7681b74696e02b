import { didYouMean } from '../../lib/did-you-mean.ts'
import { commandHelp, type ExitCode, executeCommand, type Terminal } from './command.ts'
import { COMMAND_GROUPS, type CommandEntry } from './command-registry.ts'
import { suggestCommand } from './suggest-command.ts'
import { createTerminal } from './terminal/this-terminal.ts'
import { wrapOutput } from './terminal/wrap.ts'

/** All commands, sorted by name. */
export const commands: readonly CommandEntry[] = COMMAND_GROUPS.flatMap(([, group]) => group).sort((a, b) =>
  a.name < b.name ? -1 : 1,
)

export async function main(argv: readonly string[], terminal: Terminal = createTerminal()): Promise<ExitCode> {
  const [first = '', second = ''] = argv
  const shown = wrapOutput(terminal)
  if (first === 'help' && second !== '') return main([...argv.slice(1), '--help'], terminal)
  if (first === '' || isHelp(first)) {
    shown.out(helpOverview())
    return first === '' ? 2 : 0
  }
  if (['--version', '-v', '-V'].includes(first)) return main(['version'], terminal)
  const command = commands.find(({ name }) => isCommandNamed(name, argv))
  const subcommands = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (!command && subcommands.length > 0 && (second === '' || isHelp(second))) {
    shown.out((await Promise.all(subcommands.map(({ load }) => load()))).map(commandHelp).join('\n'))
    return second === '' ? 2 : 0
  }
  if (!command) {
    const names = commands.map(({ name }) => name)
    const known = subcommands.map(({ name }) => name)
    const typed = `${first} ${second}`
    const what =
      known.length > 0
        ? `\`${typed}\`; ${didYouMean(typed, known) ?? `there ${known.length > 1 ? 'are' : 'is'} ${known.map(name => `\`${name}\``).join(', ')}`}`
        : `\`${first}\`${suggestCommand(first, names)}`
    const kind = first.startsWith('-') ? 'option' : 'command'
    shown.err(`signalbox: unknown ${kind} ${what}\nRun \`signalbox --help\` for the list of commands.\n`)
    return 2
  }
  try {
    return await executeCommand(await command.load(), argv.slice(command.name.split(' ').length), terminal)
  } catch (error) {
    shown.err(`signalbox ${command.name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

const isCommandNamed = (name: string, argv: readonly string[]): boolean =>
  name.split(' ').every((word, at) => argv[at] === word)

const isHelp = (word: string): boolean => word === 'help' || word === '--help' || word === '-h'

function helpOverview(): string {
  // two blanks at least: line wrapping recognises the second column by them
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  const groups = COMMAND_GROUPS.flatMap(([title, group]) => [
    '',
    title,
    ...group.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
  ])
  return ['Signalbox: one hook for every coding agent.', '', 'usage  signalbox <command> [--help]', ...groups, ''].join(
    '\n',
  )
}
