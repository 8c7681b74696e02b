import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../src/lib/json.ts'

/** Text as it is, anything else as JSON. */
export function putFile(folder: string, path: string, content: string | JsonObject): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

/** The same command for every event, in the shape that most clients share. */
export const hookGroups = (events: readonly string[], handler: JsonObject): JsonObject =>
  Object.fromEntries(events.map(event => [event, [{ hooks: [{ type: 'command', ...handler }] }]]))

/** An agent of one's own, as most clients read it. */
export const agentFile = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Plays the part of ${name}.\n${more}---\n\nDo what you are asked.\n`
