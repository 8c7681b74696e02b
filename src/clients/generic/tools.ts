import { nameIn } from '../names.ts'

/** The protocol uses Claude Code's names, of its time. */
export const toolNames: Readonly<Record<string, string>> = { Task: 'Agent' }

export const canonicalTool = nameIn(toolNames)
