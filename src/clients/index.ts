import type { JsonObject } from '../pattern/index.ts'
import { claudeCode } from './claude-code/index.ts'
import type { Client, Env, Traces } from './client.ts'
import { codexCli } from './codex-cli/index.ts'
import { copilotCli } from './copilot-cli/index.ts'
import { cursor } from './cursor/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { generic } from './generic/index.ts'
import { opencode } from './opencode/index.ts'
import { others } from './others.ts'
import { qwenCode } from './qwen-code/index.ts'
import { senderOf } from './sender.ts'

export { type Client, DecodeError, type Reply, type Spent, type Traces } from './client.ts'
export type { Heard, Ran } from './hearing.ts'
export { type PluginSettings, pluginText } from './opencode/index.ts'

/** Sorted by id. A new client is one folder and one line here. */
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

/** Every agent whose traces count, served or not. */
export const known: readonly Traces[] = [...clients, ...others]

export const clientById = (id: string): Client | undefined => clients.find(client => client.id === id)

/** The client that sent this, mostly the one it was registered for. */
export const senderAmong = (registered: Client, payload: JsonObject, env: Env): Client =>
  senderOf(registered, clients, payload, env)
