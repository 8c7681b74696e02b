import { clients } from '../clients/index.ts'
import type { Gate } from '../core/index.ts'
import { messageOf } from '../pattern/index.ts'
import { didYouMean } from '../policy/index.ts'
import { BUILD, foldersOf, VERSION } from '../runtime/index.ts'
import { Book, BY, type By, type Period, periodOf, prometheus, rollUp, show, summaryOf } from '../stats/index.ts'
import { TrailReader } from '../store/index.ts'
import type { Command, ExitCode, Terminal } from './command.ts'
import { openProject } from './project.ts'

export const stats: Command = {
  name: 'stats',
  summary: 'What gates did for you: stops that agents fixed, refusals, latency, rules that never speak.',
  usage:
    '[--since WHEN] [--until WHEN] [--by gate|rule|route|client|session] [--client ID] [--session ID] [--all] [--prometheus] [--rebuild] [--json]',
  about: {
    since: 'from then on: 7d (if not said), 12h, 2026-11-01, 2026-11-01T09:00; whole hours',
    until: 'up to then; now if not said',
    by: 'gate (if not said), rule, route, client or session',
    client: 'of this agent only',
    session: 'of this session only',
    all: 'the built-in gates, too, where they had nothing to say',
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
    all: { type: 'boolean' },
    prometheus: { type: 'boolean' },
    rebuild: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  forPrograms: ({ prometheus: isAsked }) => isAsked === true,
  async run({ values, terminal }) {
    const now = Date.now()
    const asked = readAsked(values, now)
    if (typeof asked === 'string') return refuse(asked, terminal)
    const { state } = foldersOf(terminal.env)
    try {
      const trail = TrailReader.open(state)
      if (!trail) return nothing(values, terminal)
      const book = counted(trail, state, now, values.rebuild === true, terminal)
      try {
        if (values.prometheus) terminal.out(prometheus(book, { version: VERSION, build: BUILD }))
        else tell(book, asked, values, terminal, now)
        return 0
      } finally {
        book.close()
        trail.close()
      }
    } catch (error) {
      return refuse(`${messageOf(error)}; \`signalbox doctor\` tells what to do`, terminal)
    }
  },
}

function refuse(why: string, { err }: Terminal): ExitCode {
  err(`signalbox stats: ${why}\n`)
  return 2
}

interface Asked extends Period {
  readonly by: By
  readonly client?: string
  readonly session?: string
}
type Values = Readonly<Record<string, unknown>>

/** A problem in one line, where it is one. */
function readAsked(values: Values, now: number): Asked | string {
  const text = (name: string) => (values[name] === undefined ? undefined : String(values[name]))
  const period = periodOf(text('since'), text('until'), now)
  if (typeof period === 'string') return period
  const by = BY.find(one => one === (values.by ?? 'gate'))
  if (!by) return `unknown \`--by ${values.by}\`; there are ${BY.join(', ')}`
  const client = text('client')
  const all = clients.map(one => one.id)
  if (client !== undefined && !all.includes(client))
    return `unknown client \`${client}\`; ${didYouMean(client, all) ?? `there are ${all.join(', ')}`}`
  const session = text('session')
  return { ...period, by, ...(client !== undefined && { client }), ...(session !== undefined && { session }) }
}

/** Nobody has called: that is an answer too. */
function nothing(values: Values, { out }: Terminal): ExitCode {
  if (values.prometheus) {
    const book = Book.inMemory()
    out(prometheus(book, { version: VERSION, build: BUILD }))
    book.close()
  } else if (values.json) out(`${JSON.stringify({ nothing: 'nothing is on record yet' })}\n`)
  else out('Nothing is on record yet: no agent has called Signalbox.\nNext  signalbox init\n')
  return 0
}

const AT_ONCE = 4000
const EACH_MS = 200

/** The book, with all of the trail in it. */
function counted(trail: TrailReader, state: string, now: number, anew: boolean, { err, window }: Terminal): Book {
  const book = Book.open(state)
  try {
    if (anew) book.clear()
    let told = performance.now()
    for (let all = 0; ; ) {
      const { counted: more, isDone } = rollUp(trail, book, { most: AT_ONCE, now })
      all += more
      if (isDone) return book
      if (window?.err && performance.now() > told + EACH_MS) {
        told = performance.now()
        err(`\r\u001b[Kcounting: ${all.toLocaleString('en')} records\r\u001b[K`)
      }
    }
  } catch (error) {
    book.close()
    throw error
  }
}

function tell(book: Book, asked: Asked, values: Values, terminal: Terminal, now: number): void {
  const policy = gatesHere(terminal)
  const summary = summaryOf(book, { ...asked, policy: policy.gates, all: values.all === true })
  if (values.json) {
    terminal.out(`${JSON.stringify({ ...summary, ...(policy.problem && { policy: policy.problem }) }, null, 2)}\n`)
    return
  }
  const { env, width, window } = terminal
  const isWide = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '')
  const showing = {
    width: window?.out ? width : Number.POSITIVE_INFINITY,
    bars: isWide ? ('unicode' as const) : ('ascii' as const),
    now,
    title: titleOf(values, asked),
  }
  terminal.out(show(summary, showing))
  if (policy.problem) terminal.out(`${policy.problem}\n`)
}

/** Statistics need no policy: without one they tell of what spoke, and not of what did not. */
function gatesHere(terminal: Terminal): { readonly gates: readonly Gate[]; readonly problem?: string } {
  try {
    return { gates: openProject(terminal).policy.program.gates }
  } catch (error) {
    return { gates: [], problem: `The policy here cannot be read (${messageOf(error)}): idle rules are not told.` }
  }
}

function titleOf({ since, until }: Values, { from, to }: Period): string {
  const when = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const last = /^\d+[mhdw]$/.test(String(since ?? '7d')) && until === undefined
  return last ? `Last ${since ?? '7d'}` : `${when(from)} to ${when(to)} UTC`
}
