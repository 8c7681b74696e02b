import { VERSION } from '../../../../hook/services/version.ts'
import type { Command } from '../../command.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version.',
  usage: '',
  example: 'signalbox version',
  options: {},
  async run({ terminal }) {
    terminal.out(`${VERSION}\n`)
    return 0
  },
}
