import { client as claudeCode } from './claude-code/index.ts'
import type { Client } from './client.ts'
import { client as codexCli } from './codex-cli/index.ts'
import { client as copilotCli } from './copilot-cli/index.ts'
import { client as cursor } from './cursor/index.ts'
import { client as geminiCli } from './gemini-cli/index.ts'
import { client as generic } from './generic/index.ts'
import { client as opencode } from './opencode/index.ts'
import { client as qwenCode } from './qwen-code/index.ts'

export type { HookOutputResult, HookRun } from './adapter/hook-output.ts'
export { type Client, type ClientFootprint, DecodeError, type Reply, type TokenUsage } from './client.ts'
export { type PluginSettings, renderPlugin } from './opencode/plugin.ts'

/** Sorted by id. A new client is a folder and a line here; `npm run generate` derives the other lists. The hook loads one client only. */
export const clients: readonly Client[] = [
  claudeCode,
  codexCli,
  copilotCli,
  cursor,
  geminiCli,
  generic,
  opencode,
  qwenCode,
]

export const clientById = (id: string): Client | undefined => clients.find(client => client.id === id)
