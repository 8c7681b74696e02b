import { hookImporterById } from '../../../../clients/import-hooks.ts'
import { checkRegex } from '../../../../hook/services/regex.ts'
import { extractHooks } from '../../../install/index.ts'
import {
  type DoctorCheck,
  hooksThatCanDeny,
  type InstalledAgent,
  ownHooksOf,
  type RegisteredHook,
} from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** The user's own hooks beside ours: they reply independently, and are not in the audit log. */
export const foreignHooksCheck: DoctorCheck = {
  ids: ['OTHER-HOOKS'],
  about: 'other hooks on the same events',
  look: ({ agents }) =>
    agents.flatMap((agent): readonly DoctorFinding[] => {
      const { client, hooks, pluginHooks } = agent
      const events = new Set(ownHooksOf(agent).map(({ event }) => event))
      const beside = [...hooks, ...pluginHooks].filter(hook => !hook.ours && events.has(hook.event))
      const [first] = beside
      if (!first || hooksThatCanDeny(agent).length === 0) return []
      const names = [...new Set(beside.map(({ event, command, type }) => `${event}: ${truncate(command || type)}`))]
      return [
        {
          ...{ id: 'OTHER-HOOKS', severity: 'note', client: client.id, file: first.file, line: first.line },
          effect: 'they run next to Signalbox and are not in the audit log',
          found: `${names.slice(0, 3).join('; ')}${names.length > 3 ? `; and ${names.length - 3} more` : ''}`,
          fix: importAdviceFor(agent, beside, agents),
        },
      ]
    }),
}

/** Suggests an import only if it would move at least one hook: otherwise the finding would never go away. */
function importAdviceFor(
  { client, files }: InstalledAgent,
  beside: readonly RegisteredHook[],
  agents: readonly InstalledAgent[],
): string {
  const adopting = hookImporterById(client.id)
  const isShared = (path: string): boolean =>
    agents.some(agent =>
      Object.values(hookImporterById(agent.client.id)?.borrows ?? {}).some(names => names.includes(path)),
    )
  const taken = files.find(
    ({ file, path, scope, text }) =>
      adopting &&
      scope !== 'managed' &&
      beside.some(hook => hook.file === file && hook.plugin === undefined) &&
      !isShared(path) &&
      extractHooks(text, adopting, { regexFault: checkRegex }).taken.length > 0,
  )
  if (beside.every(hook => !files.some(({ file }) => file === hook.file)))
    return 'none, if you want the plugin that they belong to: `init --adopt` does not read plugins'
  if (!taken) return 'nothing to do: a policy cannot express what they do, so they stay where they are'
  return `signalbox init --client ${client.id}${taken.scope === 'project' ? ' --scope project' : ''} --adopt`
}

const truncate = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text)
