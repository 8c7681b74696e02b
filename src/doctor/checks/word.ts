import { namesItself, saysWord } from '../../install/index.ts'
import type { Check } from '../case.ts'

/** Gates here tell agents to run `signalbox …`: somebody has to answer to that word. */
export const word: Check = {
  ids: ['WORD-MISSING'],
  about: 'the word `signalbox`',
  look({ policy: { program }, env, folders: { home } }) {
    const gates = namesItself(program)
    const said = saysWord({ env, home })
    if (gates.length === 0 || said.isHeard) return []
    return [
      {
        id: 'WORD-MISSING',
        weight: 'problem',
        cost: 'agents are sent to a command that no shell here finds, and cannot go on',
        saw: `${gates.map(name => `\`${name}\``).join(', ')} suggests \`signalbox …\`, and \`signalbox\` is not on the PATH`,
        fix: said.fix,
      },
    ]
  },
}
