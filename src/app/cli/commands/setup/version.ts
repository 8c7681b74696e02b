import { VERSION } from '../../../../hook/services/version.ts'
import type { Command } from '../../command.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'The version of this program.',
  usage: '',
  about: {},
  example: 'signalbox version',
  options: {},
  async run({ terminal }) {
    terminal.out(`${VERSION}\n`)
    return 0
  },
}
