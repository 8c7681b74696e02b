/** The protocol uses Claude Code's names, of its time. */
export const toolNames: Readonly<Record<string, string>> = { Task: 'Agent' }

export const canonicalTool = (native: string): string =>
  Object.hasOwn(toolNames, native) ? (toolNames[native] ?? native) : native
