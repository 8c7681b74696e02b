import type { Gate, Route, Rule } from '../core/index.ts'
import { diagramOf, inWords } from '../explain/index.ts'
import { type Period, type RuleRow, stopsOf } from '../stats/index.ts'
import { rootOnRecord } from '../store/index.ts'
import type { GateDetail, GateNumbers, GateRule, NextMode } from './api.ts'
import type { Archive } from './archive.ts'
import { pageBefore, wantedBy } from './decisions.ts'
import type { Desk } from './desk.ts'
import { aliveIn, cardOf, numbersOf } from './gates.ts'
import { liveStates } from './live-states.ts'
import { gatesOf } from './overview.ts'
import { projectsOf } from './projects.ts'
import type { Query } from './query.ts'
import { notFound } from './refusal.ts'

const HISTORY = 50
const MOST_STOPS = 100
const COUNT_MS = 50

/** One gate: what it is, where it stands, what it did, and what it would do one step up. */
export function gateDetail(archive: Archive, desk: Desk, root: string, asked: string, query: Query): GateDetail {
  const { gates } = gatesOf(desk, root)
  const named = gates.filter(one => one.name === asked)
  const gate = gates.find(one => one.id === asked) ?? (named.length === 1 ? named[0] : undefined)
  const id = gate?.id ?? asked
  const { numbers, rules, period } = numbersOf(archive, gates, root, query)
  const own = numbers.find(one => one.gate === id)
  if (!own) throw unknownGate(archive, desk, root, asked)
  const alive = aliveIn(archive, root)
  const past = () =>
    archive.read(trail => ({
      history: pageBefore(archive, trail, wantedBy(archive, { gate: [id], all: true }, root), END, HISTORY),
      stops: archive.book(trail, COUNT_MS, book =>
        stopsOf(book, { ...period, most: MOST_STOPS, gate: id, project: rootOnRecord(root) }),
      ),
    }))
  const told = archive.attempt(past, () => undefined)
  return {
    project: root,
    card: cardOf(own, gate, alive),
    mermaid: gate ? diagramOf(gate, root) : '',
    rules: gate ? rulesOf(gate, root, rules) : [],
    moves: (gate?.transitions ?? []).map(({ id: name, from, to, when, clock, at }) => ({
      ...{ id: name, from, to, when: `${clock ? 'by the clock, ' : ''}${inWords(when, root)}` },
      ...(at !== undefined && { at }),
    })),
    live: gate ? liveStates(gate, alive) : [],
    history: told?.history ?? { rows: [], before: null, last: 0, looked: 0, unread: [] },
    stops: told?.stops ?? [],
    next: gate ? nextMode(gate, own, period) : null,
  }
}

/** A bookmark of another project's gate is told where it is. */
function unknownGate(archive: Archive, desk: Desk, here: string, asked: string): Error {
  const others = archive.attempt(
    () => projectsOf(archive).filter(({ root }) => root !== here),
    () => [],
  )
  const found = others.find(({ root }) =>
    gatesOf(desk, root).gates.some(({ id, name }) => asked === id || asked === name),
  )
  return found
    ? notFound(`\`${asked}\` is a gate of another project: ${found.root}`, 'choose that project in the list')
    : notFound(`there is no gate \`${asked}\` in ${here}, and none is on record there`)
}

const END = Number.MAX_SAFE_INTEGER

function rulesOf({ id: gate, rules, routes }: Gate, root: string, rows: readonly RuleRow[]): readonly GateRule[] {
  const told = (rule: Rule | Route, kind: GateRule['kind']): GateRule => {
    const { id, while: state, when, unless, at } = rule
    const numbers = rows.find(one => one.gate === gate && one.rule === id)
    return {
      ...{ id, kind, says: 'allow' in rule && rule.allow ? 'lets through' : rule.then, when: inWords(when, root) },
      ...(state !== undefined && { while: state }),
      ...(unless && { unless: inWords(unless, root) }),
      ...(at !== undefined && { at }),
      ...(numbers && { numbers }),
    }
  }
  return [...rules.map(one => told(one, 'rule')), ...(routes?.list ?? []).map(one => told(one, 'route'))]
}

/** What it does now, by the mode that comes next. */
const NOW: Readonly<Record<NextMode['mode'], string>> = {
  warn: 'It only watches: agents do not hear of it. Mode `warn` would tell them.',
  block: 'It warns agents, and lets them go on.',
}

function stoppedIn(wouldDeny: number, wouldAsk: number): string {
  if (wouldDeny + wouldAsk === 0) return 'Mode `block` would have stopped nothing so far.'
  const parts = [
    wouldDeny > 0 && `refused ${calls(wouldDeny)}`,
    wouldAsk > 0 && `asked you about ${wouldDeny > 0 ? wouldAsk : calls(wouldAsk)}`,
  ]
  return `Mode \`block\` would have ${parts.filter(Boolean).join(' and ')}.`
}

const calls = (n: number): string => `${n} call${n === 1 ? '' : 's'}`

/** The numbers to decide on: what it said while nobody had to listen. */
function nextMode(
  { mode }: Gate,
  { wouldDeny, wouldAsk }: Pick<GateNumbers, 'wouldDeny' | 'wouldAsk'>,
  { from }: Period,
): NextMode | null {
  if (mode === 'block') return null
  const all = wouldDeny + wouldAsk
  const next = mode === 'observe' ? 'warn' : 'block'
  const counts = { wouldDeny, wouldAsk, wouldWarn: all }
  return { mode: next, since: from, ...counts, says: `${NOW[next]} ${stoppedIn(wouldDeny, wouldAsk)}` }
}
