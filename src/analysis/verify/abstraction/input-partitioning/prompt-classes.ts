import type { Event, Program, Regex } from '../../../../engine/index.ts'
import { atomsOfProgram, isStateDependent } from '../condition-atoms.ts'
import { representativesOf } from '../equivalence-classes.ts'
import { MayMustEvaluator } from '../may-must-evaluator.ts'
import type { PolicyConstants } from './policy-constants.ts'

export type SamplePrompt = PolicyConstants['prompts'][number]

interface PromptClassOptions {
  readonly program: Program
  readonly constants: PolicyConstants
  readonly regex: Regex
  readonly root: string
}

/** Does the prompt come from a person and give the agent work? */
export const isWorkPrompt = (prompt: SamplePrompt | undefined): boolean =>
  prompt?.source === 'user' || prompt?.source === 'command'

/** One representative for each class of prompts that the gates cannot distinguish. Prompts of the user also begin a turn. */
export function distinguishablePrompts({
  program,
  constants,
  regex,
  root,
}: PromptClassOptions): readonly SamplePrompt[] {
  const mayMust = new MayMustEvaluator(program, regex, root)
  const atoms = atomsOfProgram(program).filter(({ key }) => key === 'prompt' || key === 'source')
  const asked = atoms.filter(atom => !isStateDependent(atom))
  const isFilled = asked.length < atoms.length
  return representativesOf(constants.prompts, prompt => {
    const event: Event = { kind: 'prompt.submit', client: '', name: '', session: '', caller: { kind: 'main' }, prompt }
    const answers = asked.map(atom => mayMust.truthSetOf(atom, { action: 'other' }, event, 'any'))
    return `${prompt.source === 'user'}${answers.join()}${isFilled ? prompt.text : ''}`
  })
}
