import type { Event, Program } from '../core/index.ts'
import type { Regex } from '../pattern/index.ts'
import { atomsOfProgram, isAboutState } from './atom.ts'
import type { Constants } from './constants.ts'
import { oneOfEach } from './likeness.ts'
import { Oracle } from './possible.ts'

export type Prompt = Constants['prompts'][number]

interface Asked {
  readonly program: Program
  readonly constants: Constants
  readonly regex: Regex
  readonly root: string
}

/** A person wrote it, and wants something done. */
export const isWork = (prompt: Prompt | undefined): boolean => prompt?.source === 'user' || prompt?.source === 'command'

/** Prompts that the gates can tell apart. One of the user begins a turn. */
export function promptsFor({ program, constants, regex, root }: Asked): readonly Prompt[] {
  const oracle = new Oracle(program, regex, root)
  const atoms = atomsOfProgram(program).filter(({ key }) => key === 'prompt' || key === 'source')
  const asked = atoms.filter(atom => !isAboutState(atom))
  const isFilled = asked.length < atoms.length
  return oneOfEach(constants.prompts, prompt => {
    const event: Event = { kind: 'prompt.submit', client: '', name: '', session: '', caller: { kind: 'main' }, prompt }
    const answers = asked.map(atom => oracle.answers(atom, { action: 'other' }, event, 'any'))
    return `${prompt.source === 'user'}${answers.join()}${isFilled ? prompt.text : ''}`
  })
}
