import { askDaemon } from '../daemon/index.ts'
import { foldersOf } from '../runtime/index.ts'
import type { Command } from './command.ts'

export const daemonStop: Command = {
  name: 'daemon stop',
  summary: 'Stop the daemon: it answers what it has accepted, then ends. Nothing depends on it.',
  usage: '[--json]',
  about: { json: 'the same as JSON' },
  example: 'signalbox daemon stop',
  options: { json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const { state } = foldersOf(terminal.env)
    const status = await askDaemon(state, 'stop')
    const stopped = status !== undefined && (await hasEnded(status.pid))
    if (values.json) terminal.out(`${JSON.stringify({ stopped, pid: status?.pid ?? null }, null, 2)}\n`)
    else if (!status) terminal.out('NOT RUNNING  there was nothing to stop\n')
    else if (stopped)
      terminal.out(
        `STOPPED  process ${status.pid}\n  hooks go on, each a process of its own; the next one starts it again\nOff   SIGNALBOX_DAEMON=off\n`,
      )
    else
      terminal.out(`LEAVING  process ${status.pid} still answers what it has accepted\nNext  signalbox daemon logs\n`)
    return 0
  },
}

const PATIENCE_MS = 5000

async function hasEnded(pid: number): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    await new Promise(done => setTimeout(done, 20))
  }
  return false
}
