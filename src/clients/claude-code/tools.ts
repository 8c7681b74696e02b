import { createToolTranslator } from '../adapter/decode.ts'

/** Claude Code's tool names are the canonical ones; only its former names need a translation (its own map in 2.1.325). */
export const toolNames: Readonly<Record<string, string>> = {
  AgentOutput: 'TaskOutput',
  AgentOutputTool: 'TaskOutput',
  BashOutput: 'TaskOutput',
  BashOutputTool: 'TaskOutput',
  Brief: 'SendUserMessage',
  KillBash: 'TaskStop',
  KillShell: 'TaskStop',
  ListMcpResources: 'ListMcpResourcesTool',
  ListPeers: 'ListAgents',
  ReadMcpResource: 'ReadMcpResourceTool',
  Task: 'Agent',
}

/** Tools of other agents that Claude Code does not have. `LS` and `MultiEdit` are tools of its earlier versions. */
export const toolsWithoutEvents: readonly string[] = ['ApplyPatch', 'CompleteTask', 'Delete', 'ReadManyFiles']

export const canonicalTool = createToolTranslator(toolNames)
