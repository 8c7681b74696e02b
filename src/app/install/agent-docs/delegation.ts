import type { AgentDefinition } from '../../../clients/settings.ts'
import type { Condition } from '../../../engine/index.ts'
import type { Policy } from '../../../policy/index.ts'

type GateRule = Policy['gates'][number]['rules'][number]

/** Agents to which gates delegate edits of the main session, found by what rules suggest, not by name. */
export const delegateAgentsOf = ({ gates }: Pick<Policy, 'gates'>): readonly string[] => [
  ...new Set(gates.filter(({ mode }) => mode !== 'observe').flatMap(({ rules }) => rules.flatMap(delegateOfRule))),
]

function delegateOfRule({ when, suggest }: GateRule): readonly string[] {
  const isDelegating = typeof suggest === 'object' && 'agent' in suggest
  const parts = 'all' in when ? when.all : [when]
  const has = (key: string, value: string): boolean => parts.some(part => conditionHas(part, key, value))
  return isDelegating && has('caller', 'main') && has('action', 'write')
    ? [suggest.agent].flat().filter(isAgentName)
    : []
}

const conditionHas = (part: Condition, key: string, value: string): boolean =>
  'key' in part && part.key === key && 'in' in part && part.in.some(candidate => candidate === value)

/** Names that are valid as file names. */
export const isAgentName = (name: string): boolean => /^[a-z0-9][a-z0-9-]{0,63}$/.test(name)

export const createBuilderAgent = (name: string): AgentDefinition => ({
  name,
  description:
    'Creates and modifies files for the main session, which plans. Give it the task, the files and how to check them.',
  edits: true,
  instructions: `You create and modify files. The main session has planned the work and checks it afterwards.

- Do what the task says, in the files it names, and nothing else.
- Read a file before you change it, and keep its style.
- Run the related tests, if there are any.
- End with a short report: which files you changed, what you did, what is left.
`,
})

/** Text for the main agent's instruction file. Empty if edits go through the orchestrator, because a delegate's would be denied too. */
export function delegationText(delegates: readonly string[], isOrchestrated = false): string {
  const [first] = delegates
  if (first === undefined || isOrchestrated) return ''
  const names = delegates.map(name => `\`${name}\``).join(' or ')
  return `

## Orchestrator Boundary

You, the main session, are the orchestrator: you plan, delegate and check. Files are created and modified by the agent ${names}.

- You CAN read and search files, keep a todo list, ask the user, delegate to agents, and run commands that test or look.
- You CANNOT edit or write files: not by Edit, Write, MultiEdit or NotebookEdit, and not by a shell line that writes (\`>\`, \`tee\`, \`sed -i\`, \`cp\`, \`mv\`, \`rm\`).

Work in four steps: ANALYZE the request and the existing code; DESIGN the change; DELEGATE it, with files and a way to check; VALIDATE
the result by reading it and running the tests.

Example: for "retry failed uploads" read \`src/upload.ts\`, decide where to retry, have \`${first}\` modify \`src/upload.ts\` and its test, then run the tests.`
}
