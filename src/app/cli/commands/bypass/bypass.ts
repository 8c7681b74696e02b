import { randomBytes } from 'node:crypto'
import { type Bypass, beginBypass, bypassAppliesIn, MAX_BYPASS_MS, OFF_BYPASS_ID } from '../../../../hook/index.ts'
import { didYouMean } from '../../../../policy/index.ts'
import { type Command, type ExitCode, printHumanOnlyRefusal, type Terminal } from '../../command.ts'
import { openProject, type ProjectContext } from '../../project.ts'
import {
  activeBypasses,
  bypassLines,
  endBypassesAndRecord,
  formatDuration,
  formatLocalTime,
  recordAction,
  toReasonLine,
} from './active-bypasses.ts'

export const bypassCommand: Command = {
  name: 'bypass',
  summary: 'Switch gates off for a limited time. Only a person can do this, in their own terminal.',
  usage: '--for <time> --reason <text> [--gate <id>] | --end [--gate <id>] | [--json]',
  example: 'signalbox bypass --for 10m --reason "production is down"',
  options: {
    for: { type: 'string', about: 'how long: 45s, 10m, 2h; at most 8h' },
    reason: { type: 'string', about: 'why; written to the audit log and shown while the bypass lasts' },
    gate: { type: 'string', about: 'only this gate; without it, every gate that can be bypassed' },
    end: { type: 'boolean', about: 'end the bypass now' },
    json: { type: 'boolean', about: 'list the active bypasses as JSON' },
  },
  async run({ values, terminal }) {
    const project = openProject(terminal)
    const request = {
      time: optionalString(values.for),
      reason: optionalString(values.reason),
      gate: optionalString(values.gate),
    }
    const code =
      values.end === true
        ? endBypasses(project, request, terminal, values.json === true)
        : request.time === undefined && request.reason === undefined && request.gate === undefined
          ? printBypasses(project, terminal, values.json === true)
          : beginRequestedBypass(project, request, terminal, values.json === true)
    if (values.json === true)
      terminal.out(`${JSON.stringify({ bypasses: bypassesHere(project, Date.now()) }, null, 2)}\n`)
    return code
  },
}

interface BypassRequest {
  readonly time: string | undefined
  readonly reason: string | undefined
  readonly gate: string | undefined
}

const optionalString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const bypassesHere = ({ folders, root }: ProjectContext, now: number): readonly Bypass[] =>
  activeBypasses(folders, now).filter(bypass => bypass.id !== OFF_BYPASS_ID && bypassAppliesIn(bypass, root))

function printBypasses(project: ProjectContext, { out }: Terminal, json: boolean): ExitCode {
  const now = Date.now()
  const lines = bypassLines(bypassesHere(project, now), now)
  if (json) return 0
  out(lines.length === 0 ? 'No bypass is active here.\n' : `${lines.join('\n')}\n`)
  out(`Next  signalbox bypass ${lines.length === 0 ? '--for 10m --reason "…"' : '--end'}\n`)
  return 0
}

function beginRequestedBypass(
  project: ProjectContext,
  request: BypassRequest,
  terminal: Terminal,
  json: boolean,
): ExitCode {
  const { folders, root, label } = project
  const problem = findRequestProblem(request, project)
  if (problem !== undefined) {
    terminal.err(`signalbox bypass: ${problem}\n`)
    return 2
  }
  if (!terminal.isPerson) {
    recordAction(folders, 'bypass.refused', `${terminal.doubt ?? 'there is no terminal'}: ${request.reason}`, terminal)
    return printHumanOnlyRefusal('bypass', terminal)
  }
  const now = Date.now()
  const ms = parseDuration(request.time ?? '')
  const { gate } = request
  const started: Bypass = {
    id: randomBytes(3).toString('hex'),
    root,
    ...(gate !== undefined && { gate }),
    from: now,
    until: now + ms,
    reason: toReasonLine(request.reason ?? ''),
  }
  if (!beginBypass(folders.state, started)) {
    terminal.err(`signalbox bypass: cannot write to ${folders.state}; nothing was changed\n`)
    return 2
  }
  const what = gate ?? 'every gate that can be bypassed'
  recordAction(
    folders,
    'bypass.start',
    `${started.id} bypasses ${what} in ${root} for ${formatDuration(ms)}: ${started.reason}`,
    terminal,
  )
  if (json) return 0
  const alwaysEnforced = project.policy.program.gates.filter(candidate => !candidate.yields).map(item => item.name)
  terminal.out(`BYPASSED  ${what}, until ${formatLocalTime(now + ms, now)} (${formatDuration(ms)})\n`)
  terminal.out(`  in      ${label(root) || '.'} and below\n`)
  if (alwaysEnforced.length > 0) terminal.out(`  except  ${[...new Set(alwaysEnforced)].join(', ')}: always enforced\n`)
  terminal.out(`  shown   in every reply while it lasts, and written to the audit log\n`)
  terminal.out('Undo  signalbox bypass --end\n')
  return 0
}

function endBypasses(project: ProjectContext, { gate }: BypassRequest, terminal: Terminal, json: boolean): ExitCode {
  const now = Date.now()
  const ending = bypassesHere(project, now).filter(bypass => gate === undefined || bypass.gate === gate)
  const ended = endBypassesAndRecord(project.folders, ending, terminal)
  if (json) return 0
  const elsewhere = activeBypasses(project.folders, now).filter(
    bypass => bypass.root && !bypassAppliesIn(bypass, project.root),
  )
  const rest = elsewhere.length > 0 ? `; one is active in ${elsewhere.map(bypass => bypass.root).join(', ')}` : ''
  terminal.out(
    ended.length === 0
      ? `No bypass is active here${rest}.\n`
      : `ENDED  ${ended.map(bypass => bypass.gate ?? 'every gate is enforced again').join(', ')}\n`,
  )
  return 0
}

/** Why the bypass cannot start, in one line. */
function findRequestProblem({ time, reason, gate }: BypassRequest, { policy }: ProjectContext): string | undefined {
  if (time === undefined) return '`--for` is missing: how long, for example 10m'
  const ms = parseDuration(time)
  if (!(ms > 0)) return `\`--for ${time}\` is not a time; write it like 45s, 10m or 2h`
  if (ms > MAX_BYPASS_MS)
    return `\`--for\` is at most ${formatDuration(MAX_BYPASS_MS)}; \`signalbox off\` has no time limit`
  if (reason === undefined || toReasonLine(reason) === '') return '`--reason` is missing: say why, in a few words'
  const { gates } = policy.program
  const yielding = gates.filter(candidate => candidate.yields)
  if (gate === undefined) return yielding.length === 0 ? 'no gate here can be bypassed' : undefined
  const named = gates.filter(candidate => candidate.name === gate || candidate.id === gate)
  if (named.length === 0) {
    const names = [...new Set(yielding.map(item => item.name))]
    const help = didYouMean(gate, names) ?? (names.length > 0 ? `gates here: ${names.slice(0, 8).join(', ')}` : '')
    return `unknown gate \`${gate}\`${help && `; ${help}`}`
  }
  return named.some(candidate => candidate.yields) ? undefined : `gate \`${gate}\` cannot be bypassed`
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** In milliseconds; 0 if the text is no duration. */
function parseDuration(time: string): number {
  const [, amount = '0', unit = 's'] = /^(\d{1,6})\s*(s|m|h)$/.exec(time.trim()) ?? []
  return Number(amount) * (UNITS[unit] ?? 0)
}
