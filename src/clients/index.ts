import { claudeCode } from './claude-code/index.ts'
import type { Client } from './client.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { generic } from './generic/index.ts'

export { type Client, DecodeError, type Reply, type Spent } from './client.ts'
export type { Heard, Ran } from './hearing.ts'

/** Sorted by id. A new client is one folder and one line here. */
export const clients: readonly Client[] = [claudeCode, geminiCli, generic]

export const clientById = (id: string): Client | undefined => clients.find(client => client.id === id)
