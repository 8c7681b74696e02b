import { type DoctorCheck, type DoctorContext, ownHooksOf } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { namedMcpTools } from './matchers.ts'

/** Servers that the policy names and that no settings know. */
export const mcpServersCheck: DoctorCheck = {
  ids: ['MCP-SERVER'],
  about: 'MCP servers that the policy names',
  look: context => {
    const servers = serversOf(context)
    if (servers === undefined) return []
    const isUnlisted = (server: string): boolean =>
      context.agents.some(({ checkup }) => checkup.servers?.unlisted?.test(server))
    return namedMcpTools(context).flatMap(({ name, file, line }): readonly DoctorFinding[] => {
      const server = /^mcp__([\w-]+?)__/.exec(name)?.[1]
      if (server === undefined || isUnlisted(server) || servers.some(known => isCalled(server, known))) return []
      const known = servers.length > 0 ? `; servers here: ${[...new Set(servers)].join(', ')}` : ''
      return [
        {
          ...{
            id: 'MCP-SERVER',
            severity: 'note',
            cause: `${server} ${file}`,
            file,
            ...(line !== undefined && { line }),
          },
          effect: `no agent here has an MCP server \`${server}\`: the rule never matches`,
          found: `the policy names \`${name}\`${known}`,
          fix: 'write the name as the agent’s settings have it, or add the server there',
        },
      ]
    })
  },
}

/** Undefined where a place is not known: then no server can be called missing. */
function serversOf({ agents }: DoctorContext): readonly string[] | undefined {
  const ours = agents.filter(agent => ownHooksOf(agent).length > 0)
  if (ours.length === 0 || ours.some(({ servers }) => servers === undefined)) return undefined
  return ours.flatMap(({ servers }) => servers ?? [])
}

/** Agents write `_` for what is no letter, and a plugin's server with the plugin's name before it. */
function isCalled(name: string, known: string): boolean {
  const written = known.replace(/[^\w-]/g, '_')
  return name === written || name.endsWith(`_${written}`)
}
