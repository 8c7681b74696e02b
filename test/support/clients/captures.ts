import { readdirSync, readFileSync } from 'node:fs'
import { isObject, type JsonObject } from '../../../src/lib/json.ts'

const FOLDER = new URL('../../captures/', import.meta.url)

const parse = (line: string): JsonObject => {
  const value: unknown = JSON.parse(line)
  if (!isObject(value)) throw new Error('a capture is a JSON object')
  // what an http hook received is recorded with its envelope
  return isObject(value.body) ? value.body : value
}

/** One recorded payload, e.g. `claude-code-2.1.325/Stop`. */
export const capture = (name: string): JsonObject => parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))

/** Names of every payload recorded of one client version. */
export const captureNames = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, FOLDER))
    .filter(file => file.endsWith('.json'))
    .map(file => `${folder}/${file.slice(0, -'.json'.length)}`)

/** The payloads of one recorded session, in order. */
export const recordedSession = (client: string): readonly JsonObject[] =>
  readFileSync(new URL(`sessions/${client}.jsonl`, FOLDER), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(parse)
