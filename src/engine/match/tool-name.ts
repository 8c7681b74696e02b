/** Matches tool names: any case, a trailing `*`, and the different spellings of one MCP tool. */

/**
 * One MCP tool is `mcp__server__tool` in settings, `mcp__plugin_<plugin>_<server>__tool` from a plugin, and
 * `mcp_server_tool` on Gemini CLI.
 */
export function matchesToolName(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase()
  const given = name.toLowerCase()
  if (wanted === given) return true
  if (wanted.endsWith('*')) return startsAs(wanted.slice(0, -1), given)
  const a = readMcp(wanted)
  const b = readMcp(given)
  if (a && b) return a.tool === b.tool && sameServer(a.server, b.server)
  if (a && given.startsWith('mcp_')) return servers(a.server).some(server => given === `mcp_${server}_${a.tool}`)
  if (b && wanted.startsWith('mcp_')) return servers(b.server).some(server => wanted === `mcp_${server}_${b.tool}`)
  return false
}

function startsAs(prefix: string, given: string): boolean {
  if (given.startsWith(prefix)) return true
  if (!prefix.startsWith('mcp__')) return false
  const [server = '', tool] = prefix.slice(5).split('__')
  const name = readMcp(given)
  if (name)
    return tool === undefined
      ? serverStarts(server, name.server)
      : sameServer(server, name.server) && name.tool.startsWith(tool)
  return given.startsWith(`mcp_${server}${tool === undefined ? '' : `_${tool}`}`)
}

const serverStarts = (prefix: string, server: string): boolean => servers(server).some(name => name.startsWith(prefix))

interface McpName {
  readonly server: string
  readonly tool: string
}

function readMcp(name: string): McpName | null {
  if (!name.startsWith('mcp__')) return null
  const end = name.indexOf('__', 5)
  return end < 0 ? null : { server: name.slice(5, end), tool: name.slice(end + 2) }
}

/** `plugin_my_plugin_github` may be the server `github`, `plugin_github` or `my_plugin_github`: the name does not say. */
function servers(server: string): readonly string[] {
  if (!server.startsWith('plugin_')) return [server]
  const parts = server.split('_')
  return [server, ...parts.slice(2).map((_, index) => parts.slice(index + 2).join('_'))]
}

const sameServer = (a: string, b: string): boolean => a === b || servers(a).includes(b) || servers(b).includes(a)
