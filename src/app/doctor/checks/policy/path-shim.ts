import { join } from 'node:path'
import { checkCommandOnPath, gatesSuggestingSignalbox } from '../../../install/index.ts'
import type { DoctorCheck } from '../../context.ts'
import { isExecutableFile } from '../../installed-agents.ts'

/** Gates suggest `signalbox …` to agents, so the command must be on the PATH. */
export const pathShimCheck: DoctorCheck = {
  ids: ['WORD-MISSING'],
  about: 'the word `signalbox`',
  look({ policy: { program }, env, folders: { home, data } }) {
    const gates = gatesSuggestingSignalbox(program)
    const said = checkCommandOnPath({ env, home })
    if (gates.length === 0 || said.isHeard) return []
    // denials then use the full path
    const isFound = isExecutableFile(join(data, 'bin/signalbox'))
    return [
      {
        id: 'WORD-MISSING',
        weight: isFound ? 'note' : 'problem',
        cost: isFound
          ? 'refusals name the program by its full path; where another text says `signalbox`, no shell here finds it'
          : 'agents are sent to a command that no shell here finds, and cannot go on',
        saw: `${gates.map(name => `\`${name}\``).join(', ')} suggests \`signalbox …\`, and \`signalbox\` is not on the PATH`,
        fix: said.fix,
      },
    ]
  },
}
