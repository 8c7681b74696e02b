import type { WorkflowStep } from '../../../policy/index.ts'
import type { StoredStep } from '../../../store/index.ts'

interface PromptInput {
  readonly request: string
  /** finished steps with their artifacts */
  readonly earlier: readonly StoredStep[]
  readonly round: number
  /** why the step runs again */
  readonly failure: string
  /** an earlier attempt was interrupted */
  readonly isAgain: boolean
}

/** The prompt of a step: the policy's text, then the artifacts of earlier steps and those to create. */
export function buildStepPrompt(step: WorkflowStep, given: PromptInput): string {
  const { agent, prompt, artifacts, may, repeat } = step
  const left = given.earlier.flatMap(({ id, artifacts: files }) => files.map(({ path }) => `- ${path} (step ${id})`))
  const list = left.join('\n') || 'none'
  const words = {
    request: given.request,
    artifacts: list,
    round: String(given.round),
    failure: given.failure,
  }
  return [
    agent === undefined ? '' : `Have the agent \`${agent}\` lead this.`,
    fillVariables(prompt, words).trim(),
    left.length > 0 && !prompt.includes('{artifacts}') ? `Files that earlier steps wrote for you:\n${list}` : '',
    artifacts.length > 0
      ? `Before you end, write these files: ${artifacts.join(', ')}. The next steps read them; the step fails without them.`
      : '',
    may === undefined ? '' : `Change no other files than: ${may.join(', ')}.`,
    given.failure && !prompt.includes('{failure}') ? repeatText(given, repeat?.most) : '',
    given.isAgain
      ? 'An earlier attempt at this step was interrupted. Its changes are still there: look at them first.'
      : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

const repeatText = ({ round, failure }: PromptInput, most = 1): string =>
  round > 1
    ? `This is round ${round} of at most ${most}. The round before it was not enough: ${failure}`
    : `This step was done before, and that was not enough: ${failure}. Its changes are still there: look at them first.`

/** A single pass: inserted text from a person or file is not expanded again. */
const fillVariables = (text: string, words: Readonly<Record<string, string>>): string =>
  text.replace(/\{([a-z]+)\}/g, (whole, word: string) => (Object.hasOwn(words, word) ? (words[word] ?? '') : whole))
