import { stopDaemon } from '../../../../hook/daemon/index.ts'
import { foldersOf } from '../../../../hook/index.ts'
import type { Command } from '../../command.ts'

export const daemonStopCommand: Command = {
  name: 'daemon stop',
  summary: 'Stop the daemon after the calls it is working on. Hooks work without it, and start it again.',
  usage: '[--json]',
  example: 'signalbox daemon stop',
  options: { json: { type: 'boolean', about: 'the same as JSON' } },
  async run({ values, terminal }) {
    const { state } = foldersOf(terminal.env)
    const { status, stopped } = await stopDaemon(state)
    if (values.json) terminal.out(`${JSON.stringify({ stopped, pid: status?.pid ?? null }, null, 2)}\n`)
    else if (!status) terminal.out('NOT RUNNING  nothing to stop\n')
    else if (stopped)
      terminal.out(
        `STOPPED  process ${status.pid}\n  the next hook call starts it again; to prevent that, set SIGNALBOX_DAEMON=off\n`,
      )
    else
      terminal.out(
        `STOPPING  process ${status.pid} is finishing the calls it is working on\nNext  signalbox daemon logs\n`,
      )
    return 0
  },
}
