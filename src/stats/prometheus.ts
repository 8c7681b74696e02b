import type { Book } from './book.ts'
import { type Counts, partsOf, restored } from './counts.ts'
import { BOUNDS } from './histogram.ts'
import { tokensOf } from './numbers.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly string[]
}

/** Wide enough to be few: some of the buckets that are kept, in milliseconds. */
const WIDE = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]

export interface Program {
  readonly version: string
  readonly build: string
}

/**
 * All that was ever counted, in the text format of Prometheus. Counters only grow, whichever process is asked and whatever retention takes
 * away; where all is counted anew they begin again, as after a restart.
 */
export function prometheus({ driver, position }: Book, { version, build }: Program): string {
  const rows = driver.prepare('SELECT client, json FROM totals ORDER BY client').all()
  const clients = rows.map(row => ({ client: String(row.client), counts: restored(row.json) }))
  const each = (kind: string, labels: readonly string[]): readonly Sample[] =>
    clients.flatMap(({ client, counts }) => samplesOf(counts, kind, labels, { client }))
  // from the first event of a client on: a rate of what was not there yet would be unknown
  const single = (kind: string): readonly Sample[] =>
    clients.map(({ client, counts }) => [{ client }, counts.get(kind) ?? 0])
  const metrics: readonly Metric[] = [
    gauge('signalbox_build_info', 'The program that tells; always 1.', [[{ version, build }, 1]]),
    counter('signalbox_events_total', 'Events of agents, by kind and by what was decided.', [
      ...each('event', ['event', 'decision']),
    ]),
    counter('signalbox_decisions_total', 'Events of agents by the gate that decided; none: no gate did.', [
      ...each('decided', ['gate', 'decision']).map(named),
    ]),
    counter('signalbox_gate_events_total', 'Events in which a gate spoke, by what it did or would have done.', [
      ...each('gate', ['gate', 'effect']).map(([labels, n]): Sample => [snake(labels), n]),
    ]),
    counter('signalbox_gate_errors_total', 'Events in which a gate failed.', each('gate failed', ['gate'])),
    counter(
      'signalbox_stops_total',
      'Times a gate stopped an agent; refusals until it is over are one.',
      each('stop', ['gate']),
    ),
    counter(
      'signalbox_stops_ended_total',
      'Stops that ended: fixed by the agent, or bypassed.',
      each('stop', ['gate', 'outcome']),
    ),
    counter('signalbox_errors_total', 'Events with an error.', single('errors')),
    counter('signalbox_bypassed_total', 'Events with a gate that was bypassed.', single('bypassed')),
    counter(
      'signalbox_bypass_usage_total',
      'Events that got past a gate: bypassed, or approved by a token or a variable.',
      [
        ...single('bypassed').map(by('bypass')),
        ...single('approvedByToken').map(by('token')),
        ...single('approvedByVariable').map(by('variable')),
      ],
    ),
    counter('signalbox_whitelisted_total', 'Calls that an allow list clears.', single('whitelisted')),
    counter('signalbox_denial_tokens_total', 'Tokens of refusals, estimated from their length.', [
      ...single('chars').map(([labels, chars]): Sample => [labels, tokensOf(chars)]),
    ]),
    {
      ...{ name: 'signalbox_decision_seconds', type: 'histogram' },
      help: 'From the payload to just before the commit of its record.',
      samples: clients.flatMap(({ client, counts }) => histogram('signalbox_decision_seconds', { client }, counts)),
    },
    gauge('signalbox_audit_sequence', 'The last record of the audit trail that is counted.', [
      [{}, position?.seq ?? 0],
    ]),
    counter(
      'signalbox_uncounted_records_total',
      'Records that were removed before they were counted, or cannot be read.',
      [[{}, (position?.missed ?? 0) + (position?.unreadable ?? 0)]],
    ),
  ]
  return metrics.map(shown).join('')
}

/** Counters of this kind whose names have as many more parts as there are labels. */
function samplesOf(counts: Counts, kind: string, labels: readonly string[], own: Labels): readonly Sample[] {
  const found = [...counts].filter(([name]) => {
    const parts = partsOf(name)
    return parts[0] === kind && parts.length === labels.length + 1
  })
  return found
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => {
      const [, ...values] = partsOf(name)
      return [{ ...own, ...Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])) }, n]
    })
}

const by =
  (way: string) =>
  ([labels, n]: Sample): Sample => [{ ...labels, by: way }, n]
const named = ([labels, n]: Sample): Sample => [{ ...labels, gate: labels.gate || 'none' }, n]
const snake = (labels: Labels): Labels => ({ ...labels, effect: (labels.effect ?? '').replace(' ', '_') })

function histogram(name: string, labels: Labels, counts: Counts): readonly string[] {
  const buckets = [...counts].flatMap(([one, n]) => {
    const [kind, bucket] = partsOf(one)
    return kind === 'ms' && bucket !== undefined ? [[Number(bucket), n] as const] : []
  })
  const upTo = (ms: number) =>
    buckets.reduce((sum, [bucket, n]) => sum + ((BOUNDS[bucket] ?? Infinity) <= ms ? n : 0), 0)
  const all = upTo(Infinity)
  return [
    ...WIDE.map(ms => line(`${name}_bucket`, { ...labels, le: String(ms / 1000) }, upTo(ms))),
    line(`${name}_bucket`, { ...labels, le: '+Inf' }, all),
    line(`${name}_sum`, labels, (counts.get('us') ?? 0) / 1e6),
    line(`${name}_count`, labels, all),
  ]
}

const counter = (name: string, help: string, samples: readonly Sample[]): Metric =>
  metric(name, help, 'counter', samples)
const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => metric(name, help, 'gauge', samples)
const metric = (name: string, help: string, type: Metric['type'], samples: readonly Sample[]): Metric => ({
  ...{ name, help, type },
  samples: samples.map(([labels, value]) => line(name, labels, value)),
})

const shown = ({ name, help, type, samples }: Metric): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map(one => `${one}\n`).join('')}`

function line(name: string, labels: Labels, value: number): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}`
}

/** As the format wants it; a control character or half a letter is of no use to anybody. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\p{Surrogate}]/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
