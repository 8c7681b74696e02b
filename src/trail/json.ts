import { visibleJson } from '../pattern/index.ts'
import type { Found } from './found.ts'

/** One line of JSON. Without `seq`, `hash` and `time` it is the very text that the hash is over. */
export const jsonLine = ({ seq, hash, record }: Found): string =>
  `${visibleJson(JSON.stringify({ seq, hash, time: new Date(record.at).toISOString(), ...record }))}\n`
