import { join } from 'node:path'
import { NAMES, readLog, runFolder } from '../daemon/index.ts'
import { foldersOf } from '../runtime/index.ts'
import type { Command } from './command.ts'

const LAST = 50

export const daemonLogs: Command = {
  name: 'daemon logs',
  summary: 'When the daemon came and went, and what went wrong. What it decided is in the audit trail.',
  usage: '[--json]',
  about: { json: 'the lines as JSON' },
  example: 'signalbox daemon logs',
  options: { json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const lines = readLog(join(runFolder(foldersOf(terminal.env).state), NAMES.log), { last: LAST })
    if (values.json) terminal.out(`${JSON.stringify({ lines }, null, 2)}\n`)
    else terminal.out(lines.length === 0 ? 'No log: no daemon has run here.\n' : `${lines.join('\n')}\n`)
    return 0
  },
}
