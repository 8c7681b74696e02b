import type { Command } from '../../command.ts'

/** For the help and for usage errors: `bin/signalbox.cjs` starts `run -- …` through `run-entry.ts`, without the command line. */
export const runCommand: Command = {
  name: 'run',
  summary: 'Run a command and sign how it ended, so that the hook is certain of it.',
  usage: '-- <command> [argument …]',
  about: {},
  example: 'signalbox run -- npm test',
  options: {},
  positionals: true,
  async run({ positionals, terminal }) {
    const [first] = positionals
    const why = first === undefined ? 'no command' : `\`--\` is missing in front of \`${first}\``
    terminal.err(`signalbox run: ${why}; e.g. \`signalbox run -- ${positionals.join(' ') || 'npm test'}\`\n`)
    return 2
  },
}
