import { join } from 'node:path'
import { checkCommandOnPath, gatesSuggestingSignalbox } from '../../../install/index.ts'
import type { DoctorCheck } from '../../context.ts'
import { isExecutableFile } from '../../installed-agents.ts'

/** Gates suggest `signalbox …` to agents, so the command must be on the PATH. */
export const pathShimCheck: DoctorCheck = {
  ids: ['COMMAND-MISSING'],
  about: 'the command `signalbox` on the PATH',
  look({ policy: { program }, env, folders: { home, data } }) {
    const gates = gatesSuggestingSignalbox(program)
    const command = checkCommandOnPath({ env, home })
    if (gates.length === 0 || command.isFound) return []
    // denials then use the full path
    const isFound = isExecutableFile(join(data, 'bin/signalbox'))
    return [
      {
        id: 'COMMAND-MISSING',
        severity: isFound ? 'note' : 'problem',
        effect: isFound
          ? 'denials show the full path of the program; other texts that say `signalbox` do not work in a shell here'
          : 'denials suggest a command that is not on the PATH, so agents get stuck',
        found: `${gates.map(name => `\`${name}\``).join(', ')} suggests \`signalbox …\`, and \`signalbox\` is not on the PATH`,
        fix: command.fix,
      },
    ]
  },
}
