import type { ClientInfo } from '../context.ts'

/** The canonical name of a client's tool, ignoring case. */
export function canonicalTool(name: string, toolNames: Readonly<Record<string, string>>): string {
  const own = Object.keys(toolNames).find(tool => tool.toLowerCase() === name.toLowerCase())
  return own === undefined ? name : (toolNames[own] ?? name)
}

/** Tools of the same purpose, for agents that lack the first one. */
const SUBSTITUTES: Readonly<Record<string, readonly string[]>> = {
  Edit: ['Edit', 'ApplyPatch'],
  MultiEdit: ['MultiEdit', 'Edit', 'ApplyPatch'],
  Write: ['Write', 'Edit', 'ApplyPatch'],
}

/** The name of a canonical tool in each client that knows it under another one, by client. */
export function toolNamesByClient(tool: string, clients: readonly ClientInfo[]): Readonly<Record<string, string>> {
  const names = clients.flatMap(client => {
    const name = ownToolName(tool, client)
    return name === undefined || name === tool ? [] : [[client.id, name] as const]
  })
  return Object.fromEntries(names)
}

/** Undefined if the client has no such tool. Of several names the first one is the current one. */
function ownToolName(
  tool: string,
  { toolNames = {}, hasCanonicalTools, toolsWithoutEvents = [] }: ClientInfo,
): string | undefined {
  const there = (SUBSTITUTES[tool] ?? [tool]).find(name => !toolsWithoutEvents.includes(name))
  const own = hasCanonicalTools ? undefined : Object.entries(toolNames).find(([, canonical]) => canonical === there)
  return own?.[0] ?? there
}
