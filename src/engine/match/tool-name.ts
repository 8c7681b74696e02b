import { fitsStars } from './text.ts'
/** Matches tool names: any case, `*` for any characters, and the different spellings of one MCP tool. */

/**
 * One MCP tool is `mcp__server__tool` in settings, `mcp__plugin_<plugin>_<server>__tool` from a plugin, and
 * `mcp_server_tool` on Gemini CLI.
 */
export function matchesToolName(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase()
  const given = name.toLowerCase()
  if (fitsStars(wanted, given)) return true
  const a = readMcp(wanted)
  const b = readMcp(given)
  if (a && b) return fitsStars(a.tool, b.tool) && fitsServer(a.server, b.server)
  if (a && given.startsWith('mcp_'))
    return servers(a.server).some(server => fitsStars(`mcp_${server}_${a.tool}`, given))
  if (b && wanted.startsWith('mcp_'))
    return servers(b.server).some(server => fitsStars(wanted, `mcp_${server}_${b.tool}`))
  return false
}

interface McpName {
  readonly server: string
  readonly tool: string
}

function readMcp(name: string): McpName | null {
  if (!name.startsWith('mcp__')) return null
  const end = name.indexOf('__', 5)
  // `mcp__git*` is every tool of these servers
  if (end < 0) return name.endsWith('*') ? { server: name.slice(5), tool: '*' } : null
  return { server: name.slice(5, end), tool: name.slice(end + 2) }
}

/** `plugin_my_plugin_github` may be the server `github`, `plugin_github` or `my_plugin_github`: the name does not say. */
function servers(server: string): readonly string[] {
  if (!server.startsWith('plugin_')) return [server]
  const parts = server.split('_')
  return [server, ...parts.slice(2).map((_, index) => parts.slice(index + 2).join('_'))]
}

const fitsServer = (wanted: string, given: string): boolean =>
  fitsStars(wanted, given) ||
  servers(given).some(server => fitsStars(wanted, server)) ||
  servers(wanted).some(server => fitsStars(server, given))
