import type { Command } from '../../command.ts'

/** For the help and for usage errors: `bin/signalbox.cjs` starts `run -- …` through `run-entry.ts`, without the command line. */
export const runCommand: Command = {
  name: 'run',
  summary: 'Run a command and sign its exit status, so that gates can rely on it.',
  usage: '-- <command> [argument …]',
  example: 'signalbox run -- npm test',
  options: {},
  positionals: true,
  async run({ positionals, terminal }) {
    const [first] = positionals
    const why = first === undefined ? 'the command is missing' : `\`--\` is missing in front of \`${first}\``
    terminal.err(`signalbox run: ${why}; e.g. \`signalbox run -- ${positionals.join(' ') || 'npm test'}\`\n`)
    return 2
  },
}
