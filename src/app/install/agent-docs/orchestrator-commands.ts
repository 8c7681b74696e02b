import type { CommandDefinition } from '../../../clients/settings.ts'
import { type Condition, suggestionText } from '../../../engine/index.ts'
import { DEFAULT_TASK_MINUTES, type OrchestrationPerOwner, type Policy } from '../../../policy/index.ts'
import { delegateAgentsOf } from './delegation.ts'
import { findRouterAgent } from './router-agent.ts'

/** What agents need for the orchestrator of a policy: commands that people type, and a skill for each gate that suggests it. */
export interface OrchestratorCommands {
  readonly commands: readonly CommandDefinition[]
  readonly skills: readonly CommandDefinition[]
  /** agents that do the main session's edits */
  readonly delegates: readonly string[]
  /** all edits go through the orchestrator, a delegate's too */
  readonly orchestratesEdits?: boolean
  /** the agent that classifies requests first */
  readonly router?: string | undefined
}

export const NO_ORCHESTRATOR_COMMANDS: OrchestratorCommands = { commands: [], skills: [], delegates: [] }

/** Valid names of skills. */
const SKILL_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

/** Uses only the layers of one scope: readers of its files may not have the other scope's policy. */
export function orchestratorCommandsOf(
  { gates, sides = {} }: Policy,
  whose: keyof OrchestrationPerOwner,
): OrchestratorCommands {
  const { orchestrator, workflows = {} } = sides[whose] ?? {}
  const { commands = {}, minutes = DEFAULT_TASK_MINUTES } = orchestrator ?? {}
  // a command of the same name replaces the workflow's
  const runs = Object.entries(workflows).filter(([name]) => !Object.hasOwn(commands, name))
  const own = gates.filter(({ layer }) => (layer === 'project' || layer === 'nested') === (whose === 'project'))
  const names = [...Object.keys(commands), ...runs.map(([name]) => name)]
  return {
    commands: [
      ...Object.entries(commands).map(([name, { about, agent, workflow }]) => ({
        name,
        about:
          about ?? `Gives a task to ${agent ?? workflow ?? 'an agent that is approved for it'}, through Signalbox.`,
        instructions: commandInstructions(`'/${name} <task>'`, taskInstructions(minutes)),
      })),
      ...runs.map(([name, { about }]) => ({
        name,
        about: about ?? `Runs the workflow ${name}, through Signalbox.`,
        instructions: commandInstructions(`--workflow ${name} '<task>'`, WORKFLOW_INSTRUCTIONS),
      })),
    ],
    delegates: delegateAgentsOf({ gates: own }),
    orchestratesEdits: own.some(
      ({ mode, rules }) => mode === 'block' && rules.some(rule => suggestsOrchestrator(rule) && isAnyEdit(rule.when)),
    ),
    router: findRouterAgent({ gates: own }),
    skills: gatesSuggestingOrchestrator({ gates: own }).map(name => ({
      name,
      about: `Changes code and runs tests, which the gate ${name} does not allow directly. Use it for every such task.`,
      instructions: skillInstructions(name, names, minutes),
    })),
  }
}

/** Blocking gates that suggest the orchestrator, found by what their rules suggest, not by name. */
export const gatesSuggestingOrchestrator = ({ gates }: Pick<Policy, 'gates'>): readonly string[] => {
  const sends = gates.filter(({ mode, rules }) => mode === 'block' && rules.some(suggestsOrchestrator))
  return [...new Set(sends.map(({ name }) => name))].filter(name => SKILL_NAME.test(name))
}

const suggestsOrchestrator = ({ suggest }: Policy['gates'][number]['rules'][number]): boolean =>
  suggest !== undefined && suggestionText(suggest, '').startsWith('signalbox orchestrate')

/** True only if the condition matches every edit by any caller. */
function isAnyEdit(when: Condition): boolean {
  if ('all' in when) return when.all.every(part => isCall(part) || isAnyEdit(part))
  if ('any' in when) return when.any.some(isAnyEdit)
  return 'key' in when && when.key === 'action' && when.in.includes('write')
}

const isCall = (when: Condition): boolean => 'key' in when && when.key === 'event' && when.in.includes('tool.before')

const commandInstructions = (args: string, about: string): string => `Delegate this task. Do not do any of it yourself:

{words}

Run this in the shell, with the text above in place of <task>, unchanged, inside the single quotes (write \`'\\''\` for a quote):

    signalbox orchestrate ${args}

${about}
If there is no task above, ask what to do.
`

const WORKFLOW_INSTRUCTIONS = `It starts one agent after another, each approved for its step, and may take hours: run it in the background. Then report what it printed: the steps,
the files they wrote, and the line that begins with \`Next\`. If it says WAITING, a person has to run that line in a terminal: do not run it yourself.`

const taskInstructions = (minutes: number): string =>
  `It starts an agent that is approved for the task, and may take ${minutes} minutes: run it in the background, or with the longest possible
timeout. Then report what it printed: what was done, and which files changed.`

function skillInstructions(name: string, commands: readonly string[], minutes: number): string {
  const listed = commands.map(command => `- \`signalbox orchestrate '/${command} <task>'\`\n`).join('')
  return `# ${name}

Run this in the shell, with the task in place of <task>, inside the single quotes (write \`'\\''\` for a quote):

    signalbox orchestrate '<task>'

${taskInstructions(minutes)}
${listed && `\nWorkflows:\n\n${listed}`}
## Hook compatibility

- Commands that only read work directly, and so do those on the policy's allowlist.
- Code changes and tests go through the command above.
- Set no flag and no variable: the agent it starts is approved for its task, and all its tools work as usual.
- Inside such a task, do the work yourself. Do not delegate it again.
`
}
