import { type RoutingDecision, routeRequest } from '../../src/app/orchestrate/router/index.ts'
import { type Labelled, requests } from './requests.ts'

interface Judged {
  readonly labelled: Labelled
  readonly decision: RoutingDecision
  readonly isRight: boolean
}

export const judge = (half: Labelled['half'], among = requests): readonly Judged[] =>
  among
    .filter(one => one.half === half)
    .map(labelled => {
      const decision = routeRequest(labelled.request)
      return { labelled, decision, isRight: decision.intent === labelled.intent }
    })

export const share = (all: readonly Judged[], is: (one: Judged) => boolean): number =>
  all.length === 0 ? 0 : all.filter(is).length / all.length

export const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

const EDGES = [0, 0.5, 0.7, 0.9, 1]

export interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly said: number
  readonly right: number
}

/** What was said, and how often it was so. */
export const reliability = (all: readonly Judged[]): readonly Bin[] =>
  EDGES.slice(0, -1).map((from, nth) => {
    const to = EDGES[nth + 1] ?? 1
    const own = all.filter(({ decision: { confidence: one } }) => one >= from && (one < to || (to === 1 && one === 1)))
    const said = own.length === 0 ? 0 : mean(own.map(({ decision }) => decision.confidence))
    return { from, to, count: own.length, said, right: share(own, one => one.isRight) }
  })

/** The mean distance between what is said and what is so, over the bins. */
export const calibrationError = (all: readonly Judged[]): number =>
  reliability(all).reduce((sum, { count, said, right }) => sum + (count / all.length) * Math.abs(said - right), 0)

const percent = (value: number): string => `${Math.round(value * 100)} %`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')

const SOURCES: Readonly<Record<string, string>> = {
  en: 'written for this, English',
  world: 'written for this, other languages',
  wild: 'written by strangers',
}

/** The tables of the guide. */
export function reportOf(all: readonly Judged[]): string {
  const right = (list: readonly Judged[]) => percent(share(list, one => one.isRight))
  const within = (list: readonly Judged[]) =>
    percent(
      share(
        list,
        ({ isRight, decision, labelled }) =>
          isRight || decision.intent === labelled.also || decision.also.some(one => one === labelled.intent),
      ),
    )
  const rowOf = (name: string, list: readonly Judged[]) => [
    name,
    String(list.length),
    right(list),
    within(list),
    percent(share(list, ({ decision, labelled }) => decision.complexity === labelled.complexity)),
    percent(share(list, ({ decision, labelled }) => decision.cloud_provider === labelled.cloud)),
  ]
  const bySource = table(
    ['held-out requests', 'number', 'intent right', 'first or `also`', 'complexity right', 'cloud right'],
    [
      ...Object.entries(SOURCES).map(([from, name]) =>
        rowOf(
          name,
          all.filter(one => one.labelled.from === from),
        ),
      ),
      rowOf('all', all),
    ],
  )
  const sure = (list: readonly Judged[]) =>
    table(
      ['confidence', 'number', 'claimed', 'right'],
      reliability(list).map(({ from, to, count, said, right: is }) => [
        `${from.toFixed(1)} to ${to.toFixed(1)}`,
        String(count),
        said.toFixed(2),
        is.toFixed(2),
      ]),
    )
  const wild = all.filter(one => one.labelled.from === 'wild')
  return [bySource, sure(all), `Only requests written by strangers:\n\n${sure(wild)}`, confusion(all)].join('\n\n')
}

/** For each intent how many were found, and what the others were taken for. */
function confusion(all: readonly Judged[]): string {
  const intents = [...new Set(all.map(one => one.labelled.intent))]
  const rows = intents.map(intent => {
    const own = all.filter(one => one.labelled.intent === intent)
    const taken = all.filter(one => one.decision.intent === intent)
    const wrong = new Map<string, number>()
    for (const { isRight, decision } of own)
      if (!isRight) wrong.set(decision.intent, (wrong.get(decision.intent) ?? 0) + 1)
    const others = [...wrong].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`)
    const found = own.filter(one => one.isRight).length
    const precision = taken.length === 0 ? '' : percent(share(taken, one => one.isRight))
    return [`\`${intent}\``, String(own.length), String(found), precision, others.join(', ')]
  })
  return table(['intent', 'number', 'found', 'right when chosen', 'confused with'], rows)
}
