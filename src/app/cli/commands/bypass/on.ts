import { OFF_BYPASS_ID } from '../../../../hook/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { openProject } from '../../project.ts'
import { activeBypasses, endBypassesAndRecord, formatDuration } from './active-bypasses.ts'

export const onCommand: Command = {
  name: 'on',
  summary: 'Switch the gates on again after `signalbox off`.',
  usage: '[--json]',
  example: 'signalbox on',
  options: { json: { type: 'boolean', about: 'the same as JSON' } },
  async run({ values, terminal }) {
    return switchOn(terminal, { json: values.json === true })
  },
}

export function switchOn(terminal: Terminal, { json }: { readonly json: boolean }): ExitCode {
  const { folders } = openProject(terminal)
  const now = Date.now()
  const ending = activeBypasses(folders, now).filter(bypass => bypass.id === OFF_BYPASS_ID)
  const [ended] = endBypassesAndRecord(folders, ending, terminal)
  if (json) terminal.out(`${JSON.stringify({ off: false }, null, 2)}\n`)
  else terminal.out(ended ? `ON  after ${formatDuration(now - ended.from)} off\n` : 'Signalbox is already on.\n')
  return 0
}
