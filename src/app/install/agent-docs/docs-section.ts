import { delegationText } from './delegation.ts'
import { NO_ORCHESTRATOR_COMMANDS, type OrchestratorCommands } from './orchestrator-commands.ts'

const SECTION_BEGIN = '<!-- signalbox: written by `signalbox init`, removed by `signalbox uninstall` -->'
const SECTION_END = '<!-- /signalbox -->'

/** What an agent should know about Signalbox. */
export const policyText = (router: string | undefined): string => `## Signalbox

Tool calls here are checked against a policy (\`signalbox.yaml\`). A denied call says why and what to do instead: do that;
the same call in another form is denied too.${router === undefined ? '' : routingText(router)} The policy, the hooks and their switches belong to the user: ask for changes.`

const routingText = (router: string): string =>
  ` If it says to route first, spawn the agent \`${router}\` with the user's request. It ends
with a decision as JSON, which opens everything else.`

/** Added if gates suggest the orchestrator. The same text for all agents: two agents may read one file. */
function orchestratorText({ skills, commands }: OrchestratorCommands): string {
  if (skills.length === 0) return ''
  const names = commands.map(({ name }) => `\`/${name}\``).join(', ')
  const more = names && `, with a workflow in front of the task if it fits one: ${names}`
  return `

Code is changed and tests are run through \`signalbox orchestrate '<task>'\`${more}.
In the task that it starts, all tools work as usual. Set no flag and no variable.`
}

/** A policy without router, skills and delegates needs no section: each denial explains itself. */
export const needsSection = ({ router, skills, delegates }: OrchestratorCommands): boolean =>
  router !== undefined || skills.length + delegates.length > 0

/** Adds or replaces our section; a new one goes to the end. */
export function addSection(text: string, workflows: OrchestratorCommands = NO_ORCHESTRATOR_COMMANDS): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const section =
    `${SECTION_BEGIN}\n${policyText(workflows.router)}${orchestratorText(workflows)}${delegationText(workflows.delegates, workflows.orchestratesEdits)}\n${SECTION_END}`.replaceAll(
      '\n',
      end,
    )
  const at = findSection(text)
  if (at) return text.slice(0, at.from) + section + text.slice(at.to)
  if (text === '') return `${section}${end}`
  const gap = text.endsWith(`${end}${end}`) ? '' : text.endsWith(end) ? end : `${end}${end}`
  return `${text}${gap}${section}${end}`
}

/** Removes our section and the blank line before it. */
export function removeSection(text: string): string {
  const at = findSection(text)
  if (!at) return text
  const before = text.slice(0, at.from).replace(/(\r?\n)\r?\n$/, '$1')
  return before + text.slice(at.to).replace(/^\r?\n/, '')
}

export const hasSection = (text: string): boolean => findSection(text) !== undefined

function findSection(text: string): { readonly from: number; readonly to: number } | undefined {
  const from = text.indexOf(SECTION_BEGIN)
  const to = text.indexOf(SECTION_END, from)
  return from < 0 || to < 0 ? undefined : { from, to: to + SECTION_END.length }
}
