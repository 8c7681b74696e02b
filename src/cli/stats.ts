import { basename } from 'node:path'
import { served } from '../clients/known.ts'
import type { Gate } from '../core/index.ts'
import { nameHere, spoken } from '../install/index.ts'
import { messageOf } from '../pattern/index.ts'
import { didYouMean } from '../policy/index.ts'
import { BUILD, foldersOf, projectRoot, VERSION } from '../runtime/index.ts'
import {
  Book,
  BY,
  type By,
  firstHour,
  type Period,
  periodOf,
  prometheus,
  rebuild,
  show,
  summaryOf,
  whenCounted,
} from '../stats/index.ts'
import { type Libsql, rootOnRecord, TrailReader } from '../store/index.ts'
import type { Command, ExitCode, Terminal } from './command.ts'
import { placeOf } from './surroundings.ts'

/** What it needs of the rest of the program. */
export interface Needs {
  /** the gates in force where a terminal is */
  readonly gatesAt: (terminal: Terminal) => readonly Gate[]
  readonly libsql?: () => Libsql
}

export const statsBy = ({ gatesAt, libsql }: Needs): Command => ({
  name: 'stats',
  summary: 'What gates did for you: stops that agents fixed, refusals, latency, rules that never speak.',
  usage:
    '[--since WHEN] [--until WHEN] [--by gate|rule|route|client|session] [--client ID] [--session ID] [--everywhere] [--built-in] [--prometheus] [--rebuild] [--json]',
  about: {
    since: 'from then on: 7d (if not said), 12h, 2026-11-01, 2026-11-01T09:00; whole hours',
    until: 'up to then; now if not said. Without --since, the week before',
    by: 'gate (if not said), rule, route, client or session',
    client: 'of this agent only',
    session: 'of this session only, wherever it was',
    everywhere: 'of every project, not only of this one',
    'built-in': 'the built-in gates, too, where they had nothing to say',
    prometheus: 'all that was ever counted, as Prometheus reads it',
    rebuild: 'count the whole audit trail anew first',
    json: 'the same as JSON',
  },
  example: 'signalbox stats --since 30d --by rule',
  options: {
    since: { type: 'string' },
    until: { type: 'string' },
    by: { type: 'string' },
    client: { type: 'string' },
    session: { type: 'string' },
    everywhere: { type: 'boolean' },
    'built-in': { type: 'boolean' },
    prometheus: { type: 'boolean' },
    rebuild: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  forPrograms: ({ prometheus: isAsked }) => isAsked === true,
  async run({ values, terminal }) {
    const now = Date.now()
    const asked = readAsked(values, now, terminal)
    if (typeof asked === 'string') return refuse(asked, terminal)
    const { state } = foldersOf(terminal.env)
    try {
      const trail = TrailReader.open(state, libsql)
      if (!trail) return nothing(values, terminal, libsql)
      const book = Book.open(state, libsql)
      try {
        if (values.rebuild) anew(trail, book, now, terminal, libsql)
        const counting = { most: AT_ONCE, now, seen: progress(terminal) }
        if (values.prometheus) terminal.out(whenCounted(trail, book, counting, () => prometheus(book, PROGRAM)))
        else tell(trail, book, counting, asked, values, terminal, gatesHere(terminal, gatesAt))
        return 0
      } finally {
        book.close()
        trail.close()
      }
    } catch (error) {
      return refuse(`${messageOf(error)}; \`${me(terminal)} doctor\` tells what to do`, terminal)
    }
  },
})

const PROGRAM = { version: VERSION, build: BUILD }
const AT_ONCE = 4000
const EACH_MS = 200

/** As it is called here. */
const me = (terminal: Terminal): string => nameHere(placeOf(terminal))

function refuse(why: string, { err }: Terminal): ExitCode {
  err(`signalbox stats: ${why}\n`)
  return 2
}

interface Asked extends Period {
  readonly by: By
  readonly project?: string
  readonly client?: string
  readonly session?: string
}
type Values = Readonly<Record<string, unknown>>

/** A problem in one line, where it is one. */
function readAsked(values: Values, now: number, { env, cwd }: Terminal): Asked | string {
  const text = (name: string) => (values[name] === undefined ? undefined : String(values[name]))
  const period = periodOf(text('since'), text('until'), now)
  if (typeof period === 'string') return period
  const ignored = ['since', 'until', 'by', 'client', 'session', 'json'].filter(one => values[one] !== undefined)
  if (values.prometheus && ignored.length > 0)
    return `\`--prometheus\` tells all that was ever counted, in a form of its own: not with \`--${ignored[0]}\``
  const by = BY.find(one => one === (values.by ?? 'gate'))
  if (!by) return `unknown \`--by ${values.by}\`; there are ${BY.join(', ')}`
  const client = text('client')
  const all = Object.keys(served)
  if (client !== undefined && !all.includes(client))
    return `unknown client \`${client}\`; ${didYouMean(all.find(one => one.startsWith(client)) ?? client, all) ?? `there are ${all.join(', ')}`}`
  const session = text('session')
  const only = { ...(client !== undefined && { client }), ...(session !== undefined && { session }) }
  // a session is in one project, and whoever names it need not stand there
  if (values.everywhere || session !== undefined) return { ...period, by, ...only }
  return { ...period, by, ...only, project: rootOnRecord(projectRoot({ cwd, home: foldersOf(env).home })) }
}

/** Nobody has called: that is an answer too. */
function nothing(values: Values, terminal: Terminal, libsql: Needs['libsql']): ExitCode {
  const { out } = terminal
  if (values.prometheus) {
    const book = Book.inMemory(libsql)
    out(prometheus(book, PROGRAM))
    book.close()
  } else if (values.json) out(`${JSON.stringify({ nothing: 'nothing is on record yet' })}\n`)
  else out(`Nothing is on record yet: no agent has called Signalbox.\nNext  ${me(terminal)} init\n`)
  return 0
}

/** For who waits at a window. */
function progress({ err, window }: Terminal): (counted: number) => void {
  let told = performance.now()
  return counted => {
    if (!window?.err || performance.now() < told + EACH_MS) return
    told = performance.now()
    err(`\r\u001b[Kcounting: ${counted.toLocaleString('en')} records\r\u001b[K`)
  }
}

/** First as ever: of what retention took away only what was counted is known. */
function anew(trail: TrailReader, book: Book, now: number, terminal: Terminal, libsql: Needs['libsql']): void {
  const counting = { most: AT_ONCE, now, seen: progress(terminal) }
  whenCounted(trail, book, counting, () => undefined)
  const { keptBefore } = rebuild(trail, book, counting, libsql)
  if (keptBefore !== undefined)
    terminal.err(
      `signalbox stats: kept as it was counted: all before ${timeOf(keptBefore)} UTC, whose records are gone\n`,
    )
}

function tell(
  trail: TrailReader,
  book: Book,
  counting: Parameters<typeof whenCounted>[2],
  asked: Asked,
  values: Values,
  terminal: Terminal,
  policy: ReturnType<typeof gatesHere>,
): void {
  const { summary, hasMore } = whenCounted(trail, book, counting, () => ({
    summary: summaryOf(book, { ...asked, policy: policy.gates, all: values['built-in'] === true }),
    hasMore: firstHour(book, undefined) !== undefined,
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
    title: `${titleOf(values, asked)}${whereOf(values, asked)}`,
    ...(asked.client !== undefined && { part: 'client' as const }),
    ...(asked.session !== undefined && { part: 'session' as const }),
    hasMore,
  }
  terminal.out(spoken(show(summary, showing), me(terminal)))
  if (policy.problem) terminal.out(`${policy.problem}\n`)
}

/** Statistics need no policy: without one they tell of what spoke, and not of what did not. */
function gatesHere(
  terminal: Terminal,
  gatesAt: Needs['gatesAt'],
): { readonly gates: readonly Gate[]; readonly problem?: string } {
  try {
    return { gates: gatesAt(terminal) }
  } catch (error) {
    return { gates: [], problem: `The policy here cannot be read (${messageOf(error)}): idle rules are not told.` }
  }
}

function titleOf({ since, until }: Values, { from, to }: Period): string {
  const last = /^\d+[mhdw]$/.test(String(since ?? '7d')) && until === undefined
  return last ? `Last ${since ?? '7d'}` : `${timeOf(from)} to ${timeOf(to)} UTC`
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

/** ` in proj`, and of whom. */
function whereOf({ session }: Values, { project, client }: Asked): string {
  const place =
    project === undefined ? (session === undefined ? ' in every project' : '') : ` in ${basename(project) || project}`
  const whose = [client, session === undefined ? undefined : `session ${session}`].filter(Boolean).join(', ')
  return `${place}${whose && `, ${whose}`}`
}
