import type { Command } from '../../command.ts'

/** Listed for the help only: `bin/signalbox.cjs` runs the hook itself, without loading the command line. */
export const hookCommand: Command = {
  name: 'hook',
  summary: 'Answer one event of an agent. Called by the agent, not by you.',
  usage: '--client <id> [--event <name>] [--on-error open|closed] [--via <word>]',
  about: {
    client: 'the agent that calls, e.g. claude-code',
    event: "the agent's own event name, where the payload does not say it",
    'on-error':
      'what to answer when nothing can be judged: closed refuses calls whatever the policy says, open (default) asks the policy',
    via: 'which registration calls (plugin, project): an event that comes by several counts once',
  },
  example: `echo '{"hook_event_name":"Stop"}' | signalbox hook --client claude-code`,
  options: {
    client: { type: 'string' },
    event: { type: 'string' },
    'on-error': { type: 'string' },
    via: { type: 'string' },
  },
  async run({ terminal }) {
    terminal.err('signalbox hook: run it through bin/signalbox.cjs\n')
    return 2
  },
}
