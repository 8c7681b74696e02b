import { basename } from 'node:path'
import {
  AuditLogPrinter,
  followAuditLog,
  jsonLine,
  NO_PAINT,
  parseRecordFilter,
  type RecordFilter,
  readLatestRecords,
  readRecordPages,
} from '../../../../audit/index.ts'
import { foldersOf, projectRoot } from '../../../../hook/index.ts'
import { AuditLogReader, redactRoot } from '../../../../store/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { coloursOf } from '../../terminal/colours.ts'
import { untilInterrupted } from '../../terminal/until-interrupted.ts'
import { findUnknownClient } from './client-filter.ts'
import { noMatchHints } from './no-match-hints.ts'

const DEFAULT_LINES = 30

/** Filter options shared by `log` and `audit export`. */
export const LOG_FILTERS = {
  decision: {
    type: 'string',
    multiple: true,
    about: 'deny, ask, allow, pass, warn, would, bypass, error, test; separate several with commas',
  },
  gate: { type: 'string', multiple: true, about: 'gate name: events in which it matched or changed state' },
  rule: { type: 'string', multiple: true, about: 'rule id' },
  client: { type: 'string', multiple: true, about: 'client id, or its beginning: claude' },
  session: { type: 'string', multiple: true, about: 'session id, or its beginning' },
  tool: { type: 'string', multiple: true, about: 'tool name' },
  subagent: { type: 'string', multiple: true, about: 'subagent type or id; main is the main agent' },
  event: { type: 'string', multiple: true, about: 'event name: tool.before, session.start' },
  since: { type: 'string', about: 'start of the period: 30m, 12h, 7d, 2026-11-01, 2026-11-01T09:00' },
  until: { type: 'string', about: 'end of the period, in the same form' },
  grep: { type: 'string', about: 'text in commands, paths, reasons or notes' },
} as const

export const logCommand: Command = {
  name: 'log',
  summary: 'Show recorded events and their decisions, newest last.',
  usage:
    '[--follow] [--decision deny,ask] [--gate G] [--client C] [--since 2h] [--grep TEXT] [-n N] [--all] [--everywhere] [--json]',
  example: 'signalbox log --follow --decision deny,ask',
  options: {
    follow: { type: 'boolean', short: 'f', about: 'keep running and print new records' },
    ...LOG_FILTERS,
    lines: {
      type: 'string',
      short: 'n',
      about: `maximum number of lines (-n); default ${DEFAULT_LINES}, or all with --since`,
    },
    all: { type: 'boolean', about: 'also list ends of calls, prompts and sessions that no rule matched' },
    everywhere: { type: 'boolean', about: 'include every project' },
    json: { type: 'boolean', about: 'print one JSON line for each record' },
  },
  // the lines already fit the window
  forPrograms: () => true,
  async run({ values, typed, terminal }) {
    const now = Date.now()
    const wanted = parseRecordFilter(values, now)
    if (typeof wanted === 'string') return failUsage(wanted, terminal)
    const filter =
      values.everywhere === true || wanted.session ? wanted : { ...wanted, project: recordedProjectAt(terminal) }
    const stranger = findUnknownClient(filter)
    if (stranger !== undefined) return failUsage(stranger, terminal)
    const most = values.lines === undefined ? undefined : Number(values.lines)
    if (most !== undefined && !(Number.isInteger(most) && most >= 0))
      return failUsage(`\`${typed?.lines ?? '--lines'} ${values.lines}\`: expected a number, 0 or more`, terminal)
    const { state } = foldersOf(terminal.env)
    const show = createLogPrinter(terminal, {
      json: values.json === true,
      follow: values.follow === true,
      everywhere: filter.project === undefined,
      now,
    })
    const many = most ?? (filter.since === undefined ? DEFAULT_LINES : Number.POSITIVE_INFINITY)
    const after = printExisting(state, filter, many, terminal, show)
    if (values.follow !== true) return 0
    return followLog(state, filter, after, terminal, show)
  },
}

/** The project to filter by. With `--session` it is not used: a session names its project. */
const recordedProjectAt = ({ env, cwd }: Terminal): string =>
  redactRoot(projectRoot({ cwd, home: foldersOf(env).home }))

function failUsage(why: string, { err }: Terminal): ExitCode {
  err(`signalbox log: ${why}\n`)
  return 2
}

type LogPrinter = Pick<AuditLogPrinter, 'add'> & { readonly isJson: boolean }

interface LogOptions {
  readonly json: boolean
  readonly follow: boolean
  readonly everywhere: boolean
  readonly now: number
}

function createLogPrinter(terminal: Terminal, how: LogOptions): LogPrinter {
  const { out, window, width } = terminal
  if (how.json) return { isJson: true, add: found => found.length > 0 && out(found.map(jsonLine).join('')) }
  const isWindow = window?.out === true
  const colors = coloursOf(terminal)
  const paint = colors.isColorSupported
    ? {
        faint: colors.dim,
        word: (word: string, text: string) =>
          word === 'DENY' || word === 'ERROR' ? colors.red(text) : word === 'ASK' ? colors.yellow(text) : text,
      }
    : NO_PAINT
  const { now, everywhere } = how
  const log = new AuditLogPrinter(
    { paint, now, everywhere, rewrites: isWindow && how.follow, ...(isWindow && { width }) },
    out,
  )
  return { isJson: false, add: found => log.add(found) }
}

/** Prints existing records and returns the number of the newest; 0 if there are none. */
function printExisting(
  state: string,
  filter: RecordFilter,
  most: number,
  terminal: Terminal,
  show: LogPrinter,
): number {
  const { err } = terminal
  const reader = AuditLogReader.open(state)
  if (!reader) {
    if (!show.isJson)
      terminal.out(
        'Nothing is recorded yet. `signalbox init` registers the hook with your agents; `signalbox status` shows whether they call it.\n',
      )
    return 0
  }
  try {
    const { found, last, scanned, unread } = readLatestRecords(reader, filter, most)
    if (found.length === 0 && most > 0 && !show.isJson)
      terminal.out(noMatchText(scanned, filter) + noMatchHints(filter, terminal))
    show.add(found)
    if (unread.length > 0) err(unreadableRecordsText(unread))
    return last
  } finally {
    reader.close()
  }
}

const noMatchText = (looked: number, { project }: RecordFilter): string => {
  const many = `${looked.toLocaleString('en')} searched`
  if (project === undefined) return `No record matches (${many}).\n`
  return `No record in ${basename(project) || project} matches (${many}); --everywhere searches all projects.\n`
}

export const unreadableRecordsText = (unread: readonly number[]): string =>
  `${unread.length === 1 ? `record ${unread[0]}` : `${unread.length} records`} cannot be read: signalbox audit verify\n`

async function followLog(
  state: string,
  filter: RecordFilter,
  from: number,
  { err }: Terminal,
  show: LogPrinter,
): Promise<ExitCode> {
  let after = from
  await untilInterrupted(signal =>
    followAuditLog(state, signal, reader => {
      // the audit log started again from the beginning
      if (reader.last() < after) after = reader.anchor().seq
      for (const { found, last, unread } of readRecordPages(reader, filter, after)) {
        show.add(found)
        if (unread.length > 0) err(unreadableRecordsText(unread))
        after = last
      }
    }),
  )
  return 0
}
