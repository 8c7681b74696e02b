import { hasBypass } from '../outcome-label.ts'
import type { ParsedRecord } from '../parsed-record.ts'

type CsvCell = string | number | boolean | undefined

const CSV_COLUMNS: Readonly<Record<string, (found: ParsedRecord) => CsvCell>> = {
  seq: record => record.seq,
  time: ({ record }) => new Date(record.at).toISOString(),
  client: ({ record }) => record.client,
  session: ({ record }) => record.session,
  caller: ({ record }) => record.caller,
  turn: ({ record }) => record.turn,
  event: ({ record }) => record.event,
  name: ({ record }) => record.name,
  tool: ({ record }) => record.tool,
  acts: ({ record }) => record.acts.join('\n'),
  decision: ({ record }) => record.decision,
  gate: ({ record }) => record.gate,
  rule: ({ record }) => record.rule,
  reason: ({ record }) => record.reason,
  matches: ({ record }) =>
    record.matches
      .map(({ gate, rule, decision, effect, mode }) => `${gate} ${rule} ${decision}/${effect} ${mode}`)
      .join('\n'),
  bypassed: ({ record }) => hasBypass(record),
  moves: ({ record }) => record.moves.map(({ gate, from, to }) => `${gate} ${from}/${to}`).join('\n'),
  notes: ({ record }) => record.notes.join('\n'),
  errors: ({ record }) => record.errors.join('\n'),
  ms: ({ record }) => record.ms,
  policy: ({ record }) => record.policy,
  hash: record => record.hash,
  root: ({ record }) => record.root,
  agent: ({ record }) => record.agent,
  line: ({ record }) => record.line,
  ended: ({ record }) => record.ended,
}

export const CSV_HEADER = `${Object.keys(CSV_COLUMNS).join(',')}\r\n`

/** One line of CSV (RFC 4180). */
export const csvLine = (found: ParsedRecord): string =>
  `${Object.values(CSV_COLUMNS)
    .map(cell => formatCell(cell(found)))
    .join(',')}\r\n`

/** Spreadsheets run cells that begin like a formula, and an agent's command can. */
const FORMULA = /^[\s]*[=+\-@\t\r|%]/

function formatCell(value: CsvCell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  // CSV readers cannot handle other control characters.
  const text = value.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
