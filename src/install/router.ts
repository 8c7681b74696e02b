import type { AgentText } from '../clients/registers.ts'
import type { Policy } from '../policy/index.ts'

type Routing = NonNullable<Policy['routing']>

/** The agent that a closed gate waits for: it only classifies, by what the policy selects. */
export const routerOf = (routing: Routing | undefined): AgentText => ({
  name: 'router',
  description: "Classifies a request before anything else runs. Give it the user's words.",
  instructions: `You classify requests. You do not work on them.

${choosing(routing)}
End with this JSON and nothing else, every field filled in:

{"intent": "bug_fix", "complexity": "low", "cloud_provider": null, "workflow_selection": "no workflow", "confidence": 0.9,
 "reasoning": "one sentence", "keywords_detected": ["crash", "login"], "should_escalate": false, "escalation_target": null}

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
