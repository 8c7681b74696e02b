import { foldersOf } from '../../../../hook/index.ts'
import { messageOf } from '../../../../lib/errors.ts'
import { escapeControlChars, escapeControlCharsInJson } from '../../../../lib/escape-control-chars.ts'
import { padTo, widestOf } from '../../../../lib/text-width.ts'
import { isAgentRecord, type LiveSession, SessionReader } from '../../../../store/index.ts'
import type { Command, Terminal } from '../../command.ts'
import { brokenLayerNotes, NO_POLICY_TEXT, openProject, type ProjectContext } from '../../project.ts'
import { activeBypassLines, formatDuration } from '../bypass/active-bypasses.ts'
import { type GateStatus, sessionGateStatuses, sharedGateStatuses } from './gate-states.ts'

const MAX_SESSIONS = 10
const MAX_READ = 10_000

export const gatesCommand: Command = {
  name: 'gates',
  summary: 'Show which gates are open or closed, since when, and what changes that.',
  usage: '[--session ID] [--all] [--json]',
  example: 'signalbox gates --session 3f2a',
  options: {
    session: { type: 'string', about: 'only this session, in any project; the beginning of its id is enough' },
    all: { type: 'boolean', about: 'list every session and the built-in gates' },
    json: { type: 'boolean', about: 'the same as JSON' },
  },
  async run({ values, terminal }) {
    const now = Date.now()
    const wanted = typeof values.session === 'string' ? values.session : undefined
    let found: GatesQueryResult
    try {
      found = readSessions(terminal, wanted, now)
    } catch (error) {
      terminal.err(`signalbox gates: ${messageOf(error)}; run \`signalbox doctor\` to see what to do\n`)
      return 2
    }
    if (typeof found === 'string') {
      terminal.err(`signalbox gates: ${found}\n`)
      return 2
    }
    const view = toGatesView(found, now, values.all === true)
    if (values.json) terminal.out(`${escapeControlCharsInJson(JSON.stringify(view, null, 2))}\n`)
    else printGates(view, found.project, now, terminal)
    return 0
  },
}

type GatesQueryResult =
  | string
  | {
      readonly project: ProjectContext
      readonly sessions: readonly LiveSession[]
      readonly shared: LiveSession['gates']
    }

/** The requested sessions and their project, or an error text. */
function readSessions(terminal: Terminal, wanted: string | undefined, now: number): GatesQueryResult {
  const here = openProject(terminal, { stores: false })
  const reader = SessionReader.open(foldersOf(terminal.env).state)
  try {
    const live = reader?.live(now, MAX_READ) ?? []
    if (wanted === undefined) {
      // canaries are not shown as sessions
      const sessions = live.filter(session => session.root === here.root && isAgentRecord(session))
      return { project: here, sessions, shared: reader?.shared(here.root) ?? {} }
    }
    const exact = live.filter(({ session }) => session === wanted)
    const matching =
      exact.length > 0 ? exact : live.filter(({ session }) => wanted !== '' && session.startsWith(wanted))
    const [first, second] = matching
    if (!first) return `there is no active session \`${wanted}\`; \`signalbox gates\` lists those of this project`
    if (second && second.session !== first.session)
      return `\`${wanted}\` matches ${matching.length} sessions: ${matching
        .slice(0, 3)
        .map(session => session.session)
        .join(', ')}`
    const project =
      first.root === here.root ? here : openProject({ env: terminal.env, cwd: first.root }, { stores: false })
    return { project, sessions: matching, shared: reader?.shared(first.root) ?? {} }
  } finally {
    reader?.close()
  }
}

interface GatesView {
  readonly project: string
  readonly bypasses: readonly string[]
  /** gates with one state for the whole project */
  readonly projectGates: readonly GateStatus[]
  readonly sessions: readonly (Pick<LiveSession, 'client' | 'session' | 'seenAt' | 'startedAt' | 'turn'> & {
    readonly gates: readonly GateStatus[]
  })[]
  /** the states in which a new session starts */
  readonly newSession: readonly GateStatus[]
  /** gates without state: they are always in force */
  readonly stateless: readonly string[]
  /** number of active sessions that are not listed */
  readonly notListed: number
}

function toGatesView(
  { project, sessions, shared }: Exclude<GatesQueryResult, string>,
  now: number,
  all: boolean,
): GatesView {
  const { root, policy } = project
  const where = { program: policy.program, root, now }
  const listed = all ? sessions : sessions.slice(0, MAX_SESSIONS)
  const isShown = (layer: string): boolean => all || layer !== 'built-in'
  return {
    project: root,
    bypasses: activeBypassLines(project),
    projectGates: sharedGateStatuses(where, shared),
    sessions: listed.map(session => ({
      ...{ client: session.client, session: session.session, seenAt: session.seenAt, startedAt: session.startedAt },
      turn: session.turn,
      gates: sessionGateStatuses(where, shared, session),
    })),
    newSession: sessionGateStatuses(where, shared),
    stateless: policy.program.gates
      .filter(gate => gate.initial === undefined && isShown(gate.layer))
      .map(gate => gate.name),
    notListed: sessions.length - listed.length,
  }
}

function printGates(view: GatesView, project: ProjectContext, now: number, { out }: Terminal): void {
  for (const note of [...brokenLayerNotes(project), ...view.bypasses]) out(`${note}\n`)
  const hasStates = view.newSession.length + view.projectGates.length > 0
  const isBroken = project.policy.layers.some(({ state }) => state === 'left-out')
  if (!hasStates && view.stateless.length === 0 && !isBroken) out(NO_POLICY_TEXT)
  if (view.projectGates.length > 0)
    out(`In every session of ${escapeControlChars(project.root)}\n${gateLines(view.projectGates, now)}`)
  if (view.newSession.length > 0 && view.sessions.length === 0)
    out(`No session is active in this project. A new session starts with\n${gateLines(view.newSession, now)}`)
  for (const { client, session, seenAt, gates: own } of view.newSession.length > 0 ? view.sessions : [])
    out(
      `${escapeControlChars(`${client} ${session}`)}, last event ${formatDuration(now - seenAt)} ago\n${gateLines(own, now)}`,
    )
  if (view.notListed > 0) out(`and ${view.notListed} more sessions: --all\n`)
  if (view.stateless.length > 0)
    out(`Always enforced, without a state: ${escapeControlChars(view.stateless.join(', '))}\n`)
}

function gateLines(list: readonly GateStatus[], now: number): string {
  const heads = list.map(({ name, caller, mode }) =>
    escapeControlChars(`${name}${caller === undefined ? '' : ` @${caller}`}${mode === 'block' ? '' : ` (${mode})`}`),
  )
  const wide = widestOf(heads)
  return list
    .map((status, nth) => {
      const state = status.state === 'closed' ? 'CLOSED' : 'open  '
      return `  ${padTo(heads[nth] ?? '', wide)}  ${state}  ${formatSince(status, now)}; ${transitionsText(status)}\n`
    })
    .join('')
}

function formatSince({ changedAt, isDue, operations, turns }: GateStatus, now: number): string {
  if (changedAt === null) return 'since the session started'
  if (isDue) return 'from the next event on'
  const counted = [operations > 0 ? countOf(operations, 'operation') : '', turns > 0 ? countOf(turns, 'turn') : '']
  return [`for ${formatDuration(Math.max(0, now - changedAt))}`, ...counted].filter(Boolean).join(', ')
}

const countOf = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

const transitionsText = ({ state, changedBy }: GateStatus): string => {
  const verb = state === 'closed' ? 'opened' : 'closed'
  return changedBy.length === 0
    ? `nothing ${state === 'closed' ? 'opens' : 'closes'} it`
    : `${verb} by ${escapeControlChars(changedBy.join(', or '))}`
}
