import type { AgentText } from '../clients/registers.ts'
import { problemsWith } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'

type Routing = NonNullable<Policy['routing']>
type Gate = Policy['gates'][number]

const SAMPLE = `{"intent": "bug_fix", "complexity": "low", "cloud_provider": null, "workflow_selection": "no workflow", "confidence": 0.9,
 "reasoning": "one sentence", "keywords_detected": ["crash", "login"], "should_escalate": false, "escalation_target": null}`

/**
 * The agent that a gate sends the main session to, and whose routing decision opens that gate; whatever the gate is called.
 * A gate that only observes sends nobody anywhere.
 */
export const routerIn = ({ gates }: Pick<Policy, 'gates'>): string | undefined =>
  gates.filter(({ mode, transitions }) => mode !== 'observe' && transitions.some(isRouted)).flatMap(suggestedAgents)[0]

const isRouted = ({ to, capture }: Gate['transitions'][number]): boolean =>
  to === 'open' &&
  Array.isArray(capture?.schema.required) &&
  capture.schema.required.length > 0 &&
  problemsWith(JSON.parse(SAMPLE), capture.schema).length === 0

const suggestedAgents = ({ rules }: Gate): readonly string[] =>
  rules.flatMap(({ while: state, suggest }) =>
    state === 'closed' && typeof suggest === 'object' && 'agent' in suggest ? [suggest.agent].flat() : [],
  )

/** The agent that a closed gate waits for: it only classifies, by what the policy selects. */
export const routerOf = (routing: Routing | undefined, name = 'router'): AgentText => ({
  name,
  description: "Classifies a request before anything else runs. Give it the user's words.",
  instructions: `You classify requests. You do not work on them.

${choosing(routing)}
End with this JSON and nothing else, every field filled in:

${SAMPLE}

\`complexity\` is low, medium or high; \`cloud_provider\` is gcp, aws, azure or null; \`confidence\` is between 0 and 1;
\`keywords_detected\` are the words of the request that decided. For work of several agents set \`should_escalate\` to
true and name ${routing?.leader ? `\`${routing.leader}\`` : 'the agent that leads it'} in \`escalation_target\`.
`,
})

/** The policy's table, line by line; where it says nothing of a request, what is there. */
function choosing(routing: Routing | undefined): string {
  const files = 'the workflow file of the project that fits, as `@` and its path; `no workflow` if none does.'
  const rows = Object.entries(routing?.workflows ?? {})
  if (rows.length === 0) return `Choose ${files}`
  const lines = rows.map(([intent, choice]) => `- ${intent === 'any' ? 'any other' : intent}: ${choiceText(choice)}`)
  const rest = routing?.workflows.any === undefined ? `\nFor anything else: ${files}` : ''
  return `The workflow is chosen by the intent:\n\n${lines.join('\n')}\n${rest}`
}

const choiceText = (choice: Routing['workflows'][string]): string =>
  typeof choice === 'string'
    ? `\`${choice}\``
    : Object.entries(choice)
        .map(([level, name]) => `\`${name}\` (${level === 'any' ? 'else' : level})`)
        .join(', ')
