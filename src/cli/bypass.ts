import { randomBytes } from 'node:crypto'
import { didYouMean } from '../policy/index.ts'
import { type Bypass, beginBypass, holdsIn, LONGEST_MS, OFF } from '../runtime/index.ts'
import { type Command, type ExitCode, notAPerson, type Terminal } from './command.ts'
import { audit, endAll, liftedNow, linesOf, oneLine, spanOf, timeOf } from './lifting.ts'
import { openProject, type Project } from './project.ts'

export const bypass: Command = {
  name: 'bypass',
  summary: 'Let agents by for a while, in an emergency. For people, at a terminal of their own.',
  usage: '--for <time> --reason <text> [--gate <id>] | --end [--gate <id>] | [--json]',
  about: {
    for: 'how long: 45s, 10m, 2h; at most 8h',
    reason: 'why; kept in the audit trail, and shown while it lasts',
    gate: 'only this gate',
    end: 'before its time',
    json: 'what is lifted here, as JSON',
  },
  example: 'signalbox bypass --for 10m --reason "production is down"',
  options: {
    for: { type: 'string' },
    reason: { type: 'string' },
    gate: { type: 'string' },
    end: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ values, terminal }) {
    const project = openProject(terminal)
    const asked = { time: text(values.for), reason: text(values.reason), gate: text(values.gate) }
    const code =
      values.end === true
        ? end(project, asked, terminal, values.json === true)
        : asked.time === undefined && asked.reason === undefined && asked.gate === undefined
          ? tell(project, terminal, values.json === true)
          : begin(project, asked, terminal, values.json === true)
    if (values.json === true) terminal.out(`${JSON.stringify({ bypasses: here(project, Date.now()) }, null, 2)}\n`)
    return code
  },
}

interface Asked {
  readonly time: string | undefined
  readonly reason: string | undefined
  readonly gate: string | undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const here = ({ folders, root }: Project, now: number): readonly Bypass[] =>
  liftedNow(folders, now).filter(one => one.id !== OFF && holdsIn(one, root))

function tell(project: Project, { out }: Terminal, json: boolean): ExitCode {
  const now = Date.now()
  const lines = linesOf(here(project, now), now)
  if (json) return 0
  out(lines.length === 0 ? 'No bypass here.\n' : `${lines.join('\n')}\n`)
  out(`Next  signalbox bypass ${lines.length === 0 ? '--for 10m --reason "…"' : '--end'}\n`)
  return 0
}

function begin(project: Project, asked: Asked, terminal: Terminal, json: boolean): ExitCode {
  const { folders, root, label } = project
  const problem = wrongWith(asked, project)
  if (problem !== undefined) {
    terminal.err(`signalbox bypass: ${problem}\n`)
    return 2
  }
  if (!terminal.isPerson) {
    audit(folders, 'bypass.refused', `${terminal.doubt ?? 'there is no terminal'}: ${asked.reason}`, terminal)
    return notAPerson('bypass', terminal)
  }
  const now = Date.now()
  const ms = spanIn(asked.time ?? '')
  const { gate } = asked
  const started: Bypass = {
    id: randomBytes(3).toString('hex'),
    root,
    ...(gate !== undefined && { gate }),
    from: now,
    until: now + ms,
    reason: oneLine(asked.reason ?? ''),
  }
  if (!beginBypass(folders.state, started)) {
    terminal.err(`signalbox bypass: could not write to ${folders.state}\n`)
    return 2
  }
  const what = gate ?? 'every gate that yields'
  audit(
    folders,
    'bypass.start',
    `${started.id} lifts ${what} in ${root} for ${spanOf(ms)}: ${started.reason}`,
    terminal,
  )
  if (json) return 0
  const held = project.policy.program.gates.filter(one => !one.yields).map(one => one.name)
  terminal.out(`BYPASSED  ${what}, until ${timeOf(now + ms, now)} (${spanOf(ms)})\n`)
  terminal.out(`  in      ${label(root) || '.'} and below\n`)
  if (held.length > 0) terminal.out(`  holds   ${[...new Set(held)].join(', ')}, as always\n`)
  terminal.out(`  shown   in every answer while it lasts, and kept in the audit trail\n`)
  terminal.out('Undo  signalbox bypass --end\n')
  return 0
}

function end(project: Project, { gate }: Asked, terminal: Terminal, json: boolean): ExitCode {
  const now = Date.now()
  const ending = here(project, now).filter(one => gate === undefined || one.gate === gate)
  const ended = endAll(project.folders, ending, terminal)
  if (json) return 0
  const elsewhere = liftedNow(project.folders, now).filter(one => one.root && !holdsIn(one, project.root))
  const rest = elsewhere.length > 0 ? `; there is one in ${elsewhere.map(one => one.root).join(', ')}` : ''
  terminal.out(
    ended.length === 0
      ? `No bypass here to end${rest}.\n`
      : `ENDED  ${ended.map(one => one.gate ?? 'every gate is back').join(', ')}\n`,
  )
  return 0
}

/** What keeps it from being begun, in one line. */
function wrongWith({ time, reason, gate }: Asked, { policy }: Project): string | undefined {
  if (time === undefined) return 'missing `--for`: how long, like 10m'
  const ms = spanIn(time)
  if (!(ms > 0)) return `\`--for\` is like 45s, 10m or 2h, not \`${time}\``
  if (ms > LONGEST_MS) return `\`--for\` is at most ${spanOf(LONGEST_MS)}; \`signalbox off\` has no end`
  if (reason === undefined || oneLine(reason) === '') return 'missing `--reason`: why, in a few words'
  const { gates } = policy.program
  const yielding = gates.filter(one => one.yields)
  if (gate === undefined) return yielding.length === 0 ? 'no gate here yields: there is nothing to lift' : undefined
  const named = gates.filter(one => one.name === gate || one.id === gate)
  if (named.length === 0) {
    const names = [...new Set(yielding.map(one => one.name))]
    const help = didYouMean(gate, names) ?? (names.length > 0 ? `gates here: ${names.slice(0, 8).join(', ')}` : '')
    return `unknown gate \`${gate}\`${help && `; ${help}`}`
  }
  return named.some(one => one.yields) ? undefined : `gate \`${gate}\` never yields: no bypass lifts it`
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** In milliseconds; 0 where it is no time. */
function spanIn(time: string): number {
  const [, amount = '0', unit = 's'] = /^(\d{1,6})\s*(s|m|h)$/.exec(time.trim()) ?? []
  return Number(amount) * (UNITS[unit] ?? 0)
}
