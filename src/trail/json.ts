import { escapeControlCharsInJson } from '../pattern/visible.ts'
import type { ParsedRecord } from './found.ts'

/** One line of JSON. Without `seq`, `hash` and `time` it is the very text that the hash is over. */
export const jsonLine = ({ seq, hash, record }: ParsedRecord): string =>
  `${escapeControlCharsInJson(JSON.stringify({ seq, hash, time: new Date(record.at).toISOString(), ...record }))}\n`
