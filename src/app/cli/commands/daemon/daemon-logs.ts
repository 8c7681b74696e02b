import { join } from 'node:path'
import { RUN_FILES, readDaemonLog, runFolderOf } from '../../../../hook/daemon/index.ts'
import { foldersOf } from '../../../../hook/index.ts'
import type { Command } from '../../command.ts'

const SHOWN_LINES = 50

export const daemonLogsCommand: Command = {
  name: 'daemon logs',
  summary: 'Show when the daemon started and stopped, and its errors. Decisions are in the audit log: `signalbox log`.',
  usage: '[--json]',
  example: 'signalbox daemon logs',
  options: { json: { type: 'boolean', about: 'the lines as JSON' } },
  async run({ values, terminal }) {
    const lines = readDaemonLog(join(runFolderOf(foldersOf(terminal.env).state), RUN_FILES.log), { last: SHOWN_LINES })
    if (values.json) terminal.out(`${JSON.stringify({ lines }, null, 2)}\n`)
    else terminal.out(lines.length === 0 ? 'No log yet: the daemon has not run.\n' : `${lines.join('\n')}\n`)
    return 0
  },
}
