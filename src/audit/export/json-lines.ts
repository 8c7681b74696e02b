import { escapeControlCharsInJson } from '../../lib/escape-control-chars.ts'
import type { ParsedRecord } from '../parsed-record.ts'

/** One line of JSON. Without `seq`, `hash` and `time` it is exactly the text that the hash covers. */
export const jsonLine = ({ seq, hash, record }: ParsedRecord): string =>
  `${escapeControlCharsInJson(JSON.stringify({ seq, hash, time: new Date(record.at).toISOString(), ...record }))}\n`
