import { describeCondition, describeGateStates } from '../../../analysis/explain/index.ts'
import { type Period, type RuleRow, readStops } from '../../../audit/stats/index.ts'
import type { Gate, Route, Rule } from '../../../engine/index.ts'
import { redactRoot } from '../../../store/index.ts'
import type { GateDetail, GateRule, GateStatistics, NextGateMode } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'
import { liveGateStates } from '../records/live-gate-states.ts'
import { notFoundError } from '../server/http-error.ts'
import type { QueryParameters } from '../server/query.ts'
import { decisionsBefore, recordMatcherFor } from './decisions.ts'
import { gateCardOf, gateStatisticsOf, liveSessionsIn } from './gates.ts'
import { policyGatesOf } from './overview.ts'
import { listProjects } from './projects.ts'

const HISTORY_SIZE = 50
const MAX_STOPS = 100
const COUNT_MS = 50

/** One gate: its definition, live states, history, and what the next mode would do. */
export function gateDetail(
  archive: DashboardRecords,
  backend: DashboardBackend,
  root: string,
  gateName: string,
  query: QueryParameters,
): GateDetail {
  const { gates } = policyGatesOf(backend, root)
  const named = gates.filter(candidate => candidate.name === gateName)
  const gate = gates.find(candidate => candidate.id === gateName) ?? (named.length === 1 ? named[0] : undefined)
  const id = gate?.id ?? gateName
  const { numbers, rules, period } = gateStatisticsOf(archive, gates, root, query)
  const own = numbers.find(number => number.gate === id)
  if (!own) throw unknownGateError(archive, backend, root, gateName)
  const alive = liveSessionsIn(archive, root)
  const past = () =>
    archive.read(auditLog => ({
      history: decisionsBefore(
        archive,
        auditLog,
        recordMatcherFor(archive, { gate: [id], all: true }, root),
        LAST_SEQ,
        HISTORY_SIZE,
      ),
      stops: archive.book(auditLog, COUNT_MS, book =>
        readStops(book, { ...period, most: MAX_STOPS, gate: id, project: redactRoot(root) }),
      ),
    }))
  const history = archive.attempt(past, () => undefined)
  return {
    project: root,
    card: gateCardOf(own, gate, alive),
    states: gate ? describeGateStates(gate, root) : [],
    rules: gate ? gateRulesOf(gate, root, rules) : [],
    moves: (gate?.transitions ?? []).map(({ id: name, from, to, when, clock, at }) => ({
      ...{ id: name, from, to, when: `${clock ? 'before the next event, when ' : ''}${describeCondition(when, root)}` },
      ...(at !== undefined && { at }),
    })),
    live: gate ? liveGateStates(gate, alive) : [],
    history: history?.history ?? { rows: [], before: null, last: 0, searched: 0, unreadable: [] },
    stops: history?.stops ?? [],
    next: gate ? nextModeOf(gate, own, period) : null,
  }
}

/** The error for an unknown gate. If another project has the gate, the error names that project. */
function unknownGateError(archive: DashboardRecords, backend: DashboardBackend, here: string, gateName: string): Error {
  const others = archive.attempt(
    () => listProjects(archive).filter(({ root }) => root !== here),
    () => [],
  )
  const found = others.find(({ root }) =>
    policyGatesOf(backend, root).gates.some(({ id, name }) => gateName === id || gateName === name),
  )
  return found
    ? notFoundError(`\`${gateName}\` is a gate of another project: ${found.root}`, 'choose that project in the list')
    : notFoundError(`there is no gate \`${gateName}\` in ${here}, and none is recorded there`)
}

const LAST_SEQ = Number.MAX_SAFE_INTEGER

function gateRulesOf({ id: gate, rules, routes }: Gate, root: string, rows: readonly RuleRow[]): readonly GateRule[] {
  const toGateRule = (rule: Rule | Route, kind: GateRule['kind']): GateRule => {
    const { id, while: state, when, unless, at } = rule
    const numbers = rows.find(row => row.gate === gate && row.rule === id)
    return {
      ...{
        id,
        kind,
        decision: 'allow' in rule && rule.allow ? 'lets through' : rule.then,
        when: describeCondition(when, root),
      },
      ...(state !== undefined && { while: state }),
      ...(unless && { unless: describeCondition(unless, root) }),
      ...(at !== undefined && { at }),
      ...(numbers && { numbers }),
    }
  }
  return [
    ...rules.map(rule => toGateRule(rule, 'rule')),
    ...(routes?.list ?? []).map(route => toGateRule(route, 'route')),
  ]
}

/** What the gate does now, keyed by the next mode. */
const CURRENT_MODE_TEXT: Readonly<Record<NextGateMode['mode'], string>> = {
  warn: 'It only records. Mode `warn` would also warn agents.',
  block: 'It warns agents and does not block them.',
}

function wouldStopText(wouldDeny: number, wouldAsk: number): string {
  if (wouldDeny + wouldAsk === 0) return 'Mode `block` would not have blocked anything so far.'
  const parts = [
    wouldDeny > 0 && `denied ${callsText(wouldDeny)}`,
    wouldAsk > 0 && `asked you about ${wouldDeny > 0 ? wouldAsk : callsText(wouldAsk)}`,
  ]
  return `Mode \`block\` would have ${parts.filter(Boolean).join(' and ')}.`
}

const callsText = (n: number): string => `${n} call${n === 1 ? '' : 's'}`

/** What the gate would have stopped so far, as a basis for raising its mode. */
function nextModeOf(
  { mode }: Gate,
  { wouldDeny, wouldAsk }: Pick<GateStatistics, 'wouldDeny' | 'wouldAsk'>,
  { from }: Period,
): NextGateMode | null {
  if (mode === 'block') return null
  const all = wouldDeny + wouldAsk
  const next = mode === 'observe' ? 'warn' : 'block'
  const counts = { wouldDeny, wouldAsk, wouldWarn: all }
  return {
    mode: next,
    since: from,
    ...counts,
    text: `${CURRENT_MODE_TEXT[next]} ${wouldStopText(wouldDeny, wouldAsk)}`,
  }
}
