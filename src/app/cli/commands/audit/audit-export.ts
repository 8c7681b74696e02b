import { closeSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  CSV_HEADER,
  csvLine,
  followAuditLog,
  jsonLine,
  parseRecordFilter,
  type RecordFilter,
  readRecordPages,
} from '../../../../audit/index.ts'
import { foldersOf, VERSION } from '../../../../hook/index.ts'
import { AuditLogReader } from '../../../../store/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { untilInterrupted } from '../../terminal/until-interrupted.ts'
import { shipToCollector } from './audit-ship.ts'
import { findUnknownClient } from './client-filter.ts'
import { LOG_FILTERS, unreadableRecordsText } from './log.ts'

const FORMATS = ['jsonl', 'csv', 'otlp'] as const

export const auditExportCommand: Command = {
  name: 'audit export',
  summary: 'Export the audit log as JSON lines or CSV, or send it to an OpenTelemetry collector.',
  usage: '--format jsonl|csv|otlp [--output FILE] [--endpoint URL] [--follow] [filters as in `signalbox log`]',
  example: 'signalbox audit export --format otlp --endpoint http://localhost:4318 --follow',
  options: {
    format: { type: 'string', about: `${FORMATS.join(', ')}; default: jsonl` },
    output: {
      type: 'string',
      short: 'o',
      about: 'write to this new file, readable only by you; default: standard output',
    },
    endpoint: {
      type: 'string',
      about: 'address of the collector for otlp, such as http://localhost:4318; or set OTEL_EXPORTER_OTLP_ENDPOINT',
    },
    follow: { type: 'boolean', short: 'f', about: 'keep running and print new records' },
    ...LOG_FILTERS,
  },
  forPrograms: () => true,
  async run({ values, terminal }) {
    const format = FORMATS.find(text => text === (values.format ?? 'jsonl'))
    if (!format) return failUsage(`unknown format \`${values.format}\`: ${FORMATS.join(', ')}`, terminal)
    // an export contains all records by default
    const filter = parseRecordFilter({ ...values, all: true }, Date.now())
    if (typeof filter === 'string') return failUsage(filter, terminal)
    const stranger = findUnknownClient(filter)
    if (stranger !== undefined) return failUsage(stranger, terminal)
    const stray = ['output', 'until'].find(text => format === 'otlp' && values[text] !== undefined)
    if (stray) return failUsage(`\`--${stray}\` cannot be used with --format otlp`, terminal)
    if (format !== 'otlp' && values.endpoint !== undefined)
      return failUsage('`--endpoint` needs --format otlp', terminal)
    const stays = values.follow === true
    if (format === 'otlp') {
      const endpoint = values.endpoint === undefined ? undefined : String(values.endpoint)
      const shipped = await untilInterrupted(signal =>
        shipToCollector(endpoint, { filter, stays, signal, version: VERSION }, terminal),
      )
      return typeof shipped === 'string' ? failUsage(shipped, terminal) : shipped
    }
    return exportTo(
      format,
      filter,
      { stays, ...(values.output !== undefined && { file: String(values.output) }) },
      terminal,
    )
  },
}

function failUsage(why: string, { err }: Terminal): ExitCode {
  err(`signalbox audit export: ${why}\n`)
  return 2
}

/** Writes only to a new file: no option overwrites an existing file. */
async function exportTo(
  format: 'jsonl' | 'csv',
  filter: RecordFilter,
  { file, stays }: { readonly file?: string; readonly stays: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const { state } = foldersOf(terminal.env)
  const handle = file === undefined ? undefined : createOutputFile(resolve(terminal.cwd, file))
  if (typeof handle === 'string') return failUsage(`\`${file}\` ${handle}`, terminal)
  const out = handle === undefined ? terminal.out : (text: string) => void writeSync(handle, text)
  let after = 0
  let many = 0
  const look = (reader: AuditLogReader): void => {
    if (reader.last() < after) after = reader.anchor().seq
    for (const { found, last, unread } of readRecordPages(reader, filter, after)) {
      if (found.length > 0) out(found.map(format === 'csv' ? csvLine : jsonLine).join(''))
      if (unread.length > 0) terminal.err(unreadableRecordsText(unread))
      after = last
      many += found.length
    }
  }
  try {
    if (format === 'csv') out(CSV_HEADER)
    if (stays) await untilInterrupted(signal => followAuditLog(state, signal, look))
    else withReader(state, look)
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
  if (file !== undefined) terminal.out(`${many.toLocaleString('en')} ${many === 1 ? 'record' : 'records'} in ${file}\n`)
  return 0
}

function withReader(state: string, look: (reader: AuditLogReader) => void): void {
  const reader = AuditLogReader.open(state)
  try {
    if (reader) look(reader)
  } finally {
    reader?.close()
  }
}

const OPEN_ERROR_TEXTS: Readonly<Record<string, string>> = {
  EEXIST: 'already exists and was not changed',
  ENOENT: 'cannot be created: its folder does not exist',
  ENOTDIR: 'cannot be created: its folder is a file',
  EACCES: 'cannot be created: you have no permission to write to its folder',
  EROFS: 'cannot be created: the file system is read-only',
}

/** Returns the file descriptor, or an error text that follows the file name. */
function createOutputFile(file: string): number | string {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return OPEN_ERROR_TEXTS[code] ?? `cannot be created: ${code || error}`
  }
}
