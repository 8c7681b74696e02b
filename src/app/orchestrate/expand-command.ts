import type { WorkflowCommand } from '../../policy/index.ts'
import type { TaskMode } from './backends/backend.ts'

/** A task with its policy command expanded. */
export interface ExpandedTask {
  /** the person's words */
  readonly words: string
  /** the text the agent gets */
  readonly task: string
  readonly named?: { readonly backend?: string | undefined; readonly mode?: TaskMode | undefined; readonly by: string }
}

/**
 * Expands `/bmad add a login` by the policy's table, and `/skill name …` of a skill that only calls the orchestrator:
 * passed on unchanged, such a skill would send the agent back to us.
 */
export function expandCommand(
  request: string,
  commands: Readonly<Record<string, WorkflowCommand>>,
  skills: readonly string[],
): ExpandedTask {
  const [, name = '', words = ''] = /^\/(?:skill\s+)?([\w:-]+)(?:\s+(.*))?$/s.exec(request) ?? []
  const isCommand = Object.hasOwn(commands, name) && !/^\/skill\s/.test(request)
  if (!isCommand && !skills.includes(name)) return { words: request, task: request }
  if (words.trim() === '') throw new Error(`the task is empty; write what \`/${name}\` should do`)
  const plain = unquote(words.trim())
  const command = isCommand ? commands[name] : undefined
  if (!command) return { words: plain, task: plain }
  const { backend, agent, workflow } = command
  // an agent or workflow leads the task, so there is work to do, however it is phrased
  const mode = agent || workflow ? 'agent' : undefined
  return {
    words: plain,
    task: taskOfCommand(command, plain),
    named: { backend, mode, by: `the policy names it for /${name}` },
  }
}

/** Removes quotes around the words: `/skill name "implement auth"`. */
const unquote = (words: string): string => /^"([^"]+)"$/.exec(words)?.[1] ?? words

function taskOfCommand({ agent, workflow, task = '{task}' }: WorkflowCommand, words: string): string {
  const lead = [
    ...(agent ? [`Have the agent \`${agent}\` lead this.`] : []),
    ...(workflow ? [`Follow the workflow \`${workflow}\`.`] : []),
  ]
  return [...(lead.length > 0 ? [`${lead.join(' ')}\n`] : []), task.split('{task}').join(words)].join('\n')
}
