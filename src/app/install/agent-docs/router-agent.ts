import type { AgentDefinition } from '../../../clients/settings.ts'
import { shapeErrors } from '../../../lib/json-shape.ts'
import type { Policy } from '../../../policy/index.ts'

type RoutingTable = NonNullable<Policy['routing']>
type PolicyGate = Policy['gates'][number]

const SAMPLE_DECISION = `{"intent": "bug_fix", "complexity": "low", "cloud_provider": null, "workflow_selection": "no workflow", "confidence": 0.9,
 "reasoning": "one sentence", "keywords_detected": ["crash", "login"], "should_escalate": false, "escalation_target": null}`

/**
 * The agent that a gate sends the main session to, and whose routing decision opens that gate; the gate's name does not matter.
 * Gates in mode `observe` do not count.
 */
export const findRouterAgent = ({ gates }: Pick<Policy, 'gates'>): string | undefined =>
  gates
    .filter(({ mode, transitions }) => mode !== 'observe' && transitions.some(opensByRoutingDecision))
    .flatMap(suggestedAgents)[0]

const opensByRoutingDecision = ({ to, capture }: PolicyGate['transitions'][number]): boolean =>
  to === 'open' &&
  Array.isArray(capture?.schema.required) &&
  capture.schema.required.length > 0 &&
  shapeErrors(JSON.parse(SAMPLE_DECISION), capture.schema).length === 0

const suggestedAgents = ({ rules }: PolicyGate): readonly string[] =>
  rules.flatMap(({ while: state, suggest }) =>
    state === 'closed' && typeof suggest === 'object' && 'agent' in suggest ? [suggest.agent].flat() : [],
  )

/** The agent that a closed gate waits for: it only classifies requests, by the policy's routing table. */
export const createRouterAgent = (routing: RoutingTable | undefined, name = 'router'): AgentDefinition => ({
  name,
  description: "Classifies a request before anything else runs. Give it the user's words.",
  instructions: `You classify requests. You do not work on them.

${workflowChoiceText(routing)}
End with this JSON and nothing else, every field filled in:

${SAMPLE_DECISION}

\`complexity\` is low, medium or high; \`cloud_provider\` is gcp, aws, azure or null; \`confidence\` is between 0 and 1;
\`keywords_detected\` are the words of the request that decided. If the work needs several agents, set \`should_escalate\` to
true and name ${routing?.leader ? `\`${routing.leader}\`` : 'the agent that leads it'} in \`escalation_target\`.
`,
})

/** The policy's routing table as text; for requests that it does not cover, the project's workflow files. */
function workflowChoiceText(routing: RoutingTable | undefined): string {
  const files = 'the workflow file of the project that fits, as `@` and its path; `no workflow` if none does.'
  const rows = Object.entries(routing?.workflows ?? {})
  if (rows.length === 0) return `Choose ${files}`
  const lines = rows.map(([intent, choice]) => `- ${intent === 'any' ? 'any other' : intent}: ${choiceText(choice)}`)
  const rest = routing?.workflows.any === undefined ? `\nFor anything else: ${files}` : ''
  return `The workflow is chosen by the intent:\n\n${lines.join('\n')}\n${rest}`
}

const choiceText = (choice: RoutingTable['workflows'][string]): string =>
  typeof choice === 'string'
    ? `\`${choice}\``
    : Object.entries(choice)
        .map(([level, name]) => `\`${name}\` (${level === 'any' ? 'else' : level})`)
        .join(', ')
