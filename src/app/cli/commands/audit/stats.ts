import { basename } from 'node:path'
import {
  firstCountedHour,
  type Period,
  parsePeriod,
  rebuildStats,
  renderPrometheus,
  renderStats,
  STATS_GROUPINGS,
  StatsDatabase,
  type StatsGrouping,
  summarizeStats,
  withAllCounted,
} from '../../../../audit/stats/index.ts'
import { footprintsByClient } from '../../../../clients/footprints.ts'
import type { Gate } from '../../../../engine/index.ts'
import { BUILD, foldersOf, projectRoot, VERSION } from '../../../../hook/index.ts'
import { messageOf } from '../../../../lib/errors.ts'
import { didYouMean } from '../../../../policy/index.ts'
import { AuditLogReader, type LibsqlConstructor, redactRoot } from '../../../../store/index.ts'
import { commandNameHere, withCommandName } from '../../../install/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { installPathsOf } from '../../environment.ts'

/** What `stats` needs from the rest of the program. */
export interface StatsDependencies {
  /** the gates in force in the terminal's folder */
  readonly gatesAt: (terminal: Terminal) => readonly Gate[]
  readonly libsql?: () => LibsqlConstructor
}

export const createStatsCommand = ({ gatesAt, libsql }: StatsDependencies): Command => ({
  name: 'stats',
  summary: 'Statistics: denials that agents fixed, bypasses, latency, rules that never match.',
  usage:
    '[--since WHEN] [--until WHEN] [--by gate|rule|route|client|session] [--client ID] [--session ID] [--everywhere] [--built-in] [--prometheus] [--rebuild] [--json]',
  example: 'signalbox stats --since 30d --by rule',
  options: {
    since: {
      type: 'string',
      about: 'start of the period, in whole hours: 7d (default), 12h, 2026-11-01, 2026-11-01T09:00',
    },
    until: { type: 'string', about: 'end of the period (default: now). Without --since: the week before it' },
    by: { type: 'string', about: 'gate (default), rule, route, client or session' },
    client: { type: 'string', about: 'only this agent' },
    session: { type: 'string', about: 'only this session, in any project' },
    everywhere: { type: 'boolean', about: 'include every project' },
    'built-in': { type: 'boolean', about: 'include built-in gates that matched nothing' },
    prometheus: { type: 'boolean', about: 'print all counters in the Prometheus text format' },
    rebuild: { type: 'boolean', about: 'count the whole audit log again first' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  forPrograms: ({ prometheus: isPrometheus }) => isPrometheus === true,
  async run({ values, terminal }) {
    const now = Date.now()
    const options = parseStatsOptions(values, now, terminal)
    if (typeof options === 'string') return failUsage(options, terminal)
    const { state } = foldersOf(terminal.env)
    try {
      const auditLog = AuditLogReader.open(state, libsql)
      if (!auditLog) return printEmptyStats(values, terminal, libsql)
      const book = StatsDatabase.open(state, libsql)
      try {
        if (values.rebuild) recountAll(auditLog, book, now, terminal, libsql)
        const counting = { most: BATCH_SIZE, now, seen: createProgress(terminal) }
        if (values.prometheus)
          terminal.out(withAllCounted(auditLog, book, counting, () => renderPrometheus(book, PROGRAM_INFO)))
        else printStats(auditLog, book, counting, options, values, terminal, gatesHere(terminal, gatesAt))
        return 0
      } finally {
        book.close()
        auditLog.close()
      }
    } catch (error) {
      return failUsage(`${messageOf(error)}; \`${commandName(terminal)} doctor\` shows what to do`, terminal)
    }
  },
})

const PROGRAM_INFO = { version: VERSION, build: BUILD }
const BATCH_SIZE = 4000
const UPDATE_MS = 200

/** The command name that works on this machine. */
const commandName = (terminal: Terminal): string => commandNameHere(installPathsOf(terminal))

function failUsage(why: string, { err }: Terminal): ExitCode {
  err(`signalbox stats: ${why}\n`)
  return 2
}

interface StatsOptions extends Period {
  readonly by: StatsGrouping
  readonly project?: string
  readonly client?: string
  readonly session?: string
}
type OptionValues = Readonly<Record<string, unknown>>

/** Returns the options, or an error text. */
function parseStatsOptions(values: OptionValues, now: number, { env, cwd }: Terminal): StatsOptions | string {
  const text = (name: string) => (values[name] === undefined ? undefined : String(values[name]))
  const period = parsePeriod(text('since'), text('until'), now)
  if (typeof period === 'string') return period
  const ignored = ['since', 'until', 'by', 'client', 'session', 'json'].filter(name => values[name] !== undefined)
  if (values.prometheus && ignored.length > 0)
    return `\`--prometheus\` prints all counters: it cannot be combined with \`--${ignored[0]}\``
  const by = STATS_GROUPINGS.find(grouping => grouping === (values.by ?? 'gate'))
  if (!by) return `unknown \`--by ${values.by}\`; there are ${STATS_GROUPINGS.join(', ')}`
  const client = text('client')
  const all = Object.keys(footprintsByClient)
  if (client !== undefined && !all.includes(client))
    return `unknown client \`${client}\`; ${didYouMean(all.find(name => name.startsWith(client)) ?? client, all) ?? `there are ${all.join(', ')}`}`
  const session = text('session')
  const only = { ...(client !== undefined && { client }), ...(session !== undefined && { session }) }
  // a session belongs to one project, so `--session` works from any folder
  if (values.everywhere || session !== undefined) return { ...period, by, ...only }
  return { ...period, by, ...only, project: redactRoot(projectRoot({ cwd, home: foldersOf(env).home })) }
}

/** An empty audit log is a valid answer. */
function printEmptyStats(values: OptionValues, terminal: Terminal, libsql: StatsDependencies['libsql']): ExitCode {
  const { out } = terminal
  if (values.prometheus) {
    const book = StatsDatabase.inMemory(libsql)
    out(renderPrometheus(book, PROGRAM_INFO))
    book.close()
  } else if (values.json) out(`${JSON.stringify({ nothing: 'nothing is recorded yet' })}\n`)
  else out(`Nothing is recorded yet: no agent has called Signalbox.\nNext  ${commandName(terminal)} init\n`)
  return 0
}

/** Shows progress if stderr is a window. */
function createProgress({ err, window }: Terminal): (counted: number) => void {
  let lastProgressAt = performance.now()
  return counted => {
    if (!window?.err || performance.now() < lastProgressAt + UPDATE_MS) return
    lastProgressAt = performance.now()
    err(`\r\u001b[Kcounting: ${counted.toLocaleString('en')} records\r\u001b[K`)
  }
}

/** Brings the counts up to date before the recount: records removed by retention exist only as counts. */
function recountAll(
  auditLog: AuditLogReader,
  book: StatsDatabase,
  now: number,
  terminal: Terminal,
  libsql: StatsDependencies['libsql'],
): void {
  const counting = { most: BATCH_SIZE, now, seen: createProgress(terminal) }
  withAllCounted(auditLog, book, counting, () => undefined)
  const { countedBefore } = rebuildStats(auditLog, book, counting, libsql)
  if (countedBefore !== undefined)
    terminal.err(
      `signalbox stats: counts before ${timeOf(countedBefore)} UTC are unchanged: their records were removed\n`,
    )
}

function printStats(
  auditLog: AuditLogReader,
  book: StatsDatabase,
  counting: Parameters<typeof withAllCounted>[2],
  options: StatsOptions,
  values: OptionValues,
  terminal: Terminal,
  policy: ReturnType<typeof gatesHere>,
): void {
  const { summary, hasMore } = withAllCounted(auditLog, book, counting, () => ({
    summary: summarizeStats(book, { ...options, policy: policy.gates, all: values['built-in'] === true }),
    hasMore: firstCountedHour(book, undefined) !== undefined,
  }))
  if (values.json) {
    terminal.out(`${JSON.stringify({ ...summary, ...(policy.problem && { policy: policy.problem }) }, null, 2)}\n`)
    return
  }
  const { env, width, window } = terminal
  const isWide = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '')
  const showing = {
    width: window?.out ? width : Number.POSITIVE_INFINITY,
    bars: isWide ? ('unicode' as const) : ('ascii' as const),
    now: counting.now,
    title: `${titleOf(values, options)}${scopeText(values, options)}`,
    ...(options.client !== undefined && { part: 'client' as const }),
    ...(options.session !== undefined && { part: 'session' as const }),
    hasMore,
  }
  terminal.out(withCommandName(renderStats(summary, showing), commandName(terminal)))
  if (policy.problem) terminal.out(`${policy.problem}\n`)
}

/** Statistics work without a policy. Then they cover the rules that spoke, but not the rules that never did. */
function gatesHere(
  terminal: Terminal,
  gatesAt: StatsDependencies['gatesAt'],
): { readonly gates: readonly Gate[]; readonly problem?: string } {
  try {
    return { gates: gatesAt(terminal) }
  } catch (error) {
    return {
      gates: [],
      problem: `The policy here cannot be loaded (${messageOf(error)}): rules without matches are not listed.`,
    }
  }
}

function titleOf({ since, until }: OptionValues, { from, to }: Period): string {
  const last = /^\d+[mhdw]$/.test(String(since ?? '7d')) && until === undefined
  return last ? `Last ${since ?? '7d'}` : `${timeOf(from)} to ${timeOf(to)} UTC`
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

/** ` in proj`, with the client and session if given. */
function scopeText({ session }: OptionValues, { project, client }: StatsOptions): string {
  const place =
    project === undefined ? (session === undefined ? ' in every project' : '') : ` in ${basename(project) || project}`
  const whose = [client, session === undefined ? undefined : `session ${session}`].filter(Boolean).join(', ')
  return `${place}${whose && `, ${whose}`}`
}
