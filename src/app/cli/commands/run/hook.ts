import type { Command } from '../../command.ts'

/** Listed for the help only: `bin/signalbox.cjs` runs the hook itself, without loading the command line. */
export const hookCommand: Command = {
  name: 'hook',
  summary: 'Answer one event of an agent. Agents call this; you do not.',
  usage: '--client <id> [--event <name>] [--on-error open|closed] [--via <registration>]',
  example: `echo '{"hook_event_name":"Stop"}' | signalbox hook --client claude-code`,
  options: {
    client: { type: 'string', about: 'the agent that calls, e.g. claude-code' },
    event: { type: 'string', about: "the agent's name of the event, if the payload does not contain it" },
    'on-error': {
      type: 'string',
      about:
        'what happens if a call cannot be evaluated: closed denies it whatever the policy says, open (default) does what the policy says',
    },
    via: {
      type: 'string',
      about: 'which registration makes the call (plugin, project), so that an event sent by several counts once',
    },
  },
  async run({ terminal }) {
    terminal.err('signalbox hook: run it through bin/signalbox.cjs\n')
    return 2
  },
}
