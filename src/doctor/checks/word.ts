import { join } from 'node:path'
import { namesItself, saysWord } from '../../install/index.ts'
import { isProgram } from '../agents.ts'
import type { Check } from '../case.ts'

/** Gates here tell agents to run `signalbox …`: somebody has to answer to that word. */
export const word: Check = {
  ids: ['WORD-MISSING'],
  about: 'the word `signalbox`',
  look({ policy: { program }, env, folders: { home, data } }) {
    const gates = namesItself(program)
    const said = saysWord({ env, home })
    if (gates.length === 0 || said.isHeard) return []
    // refusals name it by its path then
    const isFound = isProgram(join(data, 'bin/signalbox'))
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
