import { stopDaemon } from '../../../../hook/daemon/index.ts'
import { foldersOf } from '../../../../hook/index.ts'
import type { Command } from '../../command.ts'

export const daemonStopCommand: Command = {
  name: 'daemon stop',
  summary: 'Stop the daemon: it answers what it has accepted, then ends. Nothing depends on it.',
  usage: '[--json]',
  about: { json: 'the same as JSON' },
  example: 'signalbox daemon stop',
  options: { json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const { state } = foldersOf(terminal.env)
    const { status, stopped } = await stopDaemon(state)
    if (values.json) terminal.out(`${JSON.stringify({ stopped, pid: status?.pid ?? null }, null, 2)}\n`)
    else if (!status) terminal.out('NOT RUNNING  there was nothing to stop\n')
    else if (stopped)
      terminal.out(
        `STOPPED  process ${status.pid}\n  hooks go on, each a process of its own; the next one starts it again\nNever SIGNALBOX_DAEMON=off\n`,
      )
    else
      terminal.out(`LEAVING  process ${status.pid} still answers what it has accepted\nNext  signalbox daemon logs\n`)
    return 0
  },
}
