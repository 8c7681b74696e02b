import { type Counters, counterNameParts, parseCounters } from './counters.ts'
import { BUCKET_BOUNDS } from './histogram.ts'
import { estimateTokens } from './read/event-numbers.ts'
import type { StatsDatabase } from './store/stats-database.ts'

type MetricLabels = Readonly<Record<string, string>>
type MetricSample = readonly [labels: MetricLabels, value: number]

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly string[]
}

/** A subset of the stored bucket bounds, in milliseconds, to keep the number of series small. */
const EXPORTED_BOUNDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]

export interface ProgramInfo {
  readonly version: string
  readonly build: string
}

/**
 * All totals in the Prometheus text format. Counters only grow, no matter which process is asked and what retention removes.
 * After a rebuild they restart, as after a restart of the process.
 */
export function renderPrometheus({ driver, position }: StatsDatabase, { version, build }: ProgramInfo): string {
  const rows = driver.prepare('SELECT client, json FROM totals ORDER BY client').all()
  const clients = rows.map(row => ({ client: String(row.client), counts: parseCounters(row.json) }))
  const each = (kind: string, labels: readonly string[]): readonly MetricSample[] =>
    clients.flatMap(({ client, counts }) => samplesOf(counts, kind, labels, { client }))
  // Emit zeros from a client's first event on: Prometheus cannot compute the rate of a series that did not exist yet.
  const single = (kind: string): readonly MetricSample[] =>
    clients.map(({ client, counts }) => [{ client }, counts.get(kind) ?? 0])
  const metrics: readonly Metric[] = [
    gaugeMetric('signalbox_build_info', 'Version and build of Signalbox; always 1.', [[{ version, build }, 1]]),
    counterMetric('signalbox_events_total', 'Events of agents, by kind and decision.', [
      ...each('event', ['event', 'decision']),
    ]),
    counterMetric('signalbox_decisions_total', 'Events of agents by the gate that decided; none: no gate decided.', [
      ...each('decided', ['gate', 'decision']).map(withGateLabel),
    ]),
    counterMetric(
      'signalbox_gate_events_total',
      'Events in which a rule of a gate matched, by its effect or what it would have done.',
      [...each('gate', ['gate', 'effect']).map(([labels, n]): MetricSample => [withSnakeCaseEffect(labels), n])],
    ),
    counterMetric('signalbox_gate_errors_total', 'Events in which a gate failed.', each('gate failed', ['gate'])),
    counterMetric(
      'signalbox_stops_total',
      'Times a gate stopped an agent; repeated denials until the agent moves on count once.',
      each('stop', ['gate']),
    ),
    counterMetric(
      'signalbox_stops_ended_total',
      'Stops that were resolved: fixed by the agent, or bypassed.',
      each('stop', ['gate', 'outcome']),
    ),
    counterMetric('signalbox_errors_total', 'Events with an error.', single('errors')),
    counterMetric('signalbox_bypassed_total', 'Events with a gate that was bypassed.', single('bypassed')),
    counterMetric(
      'signalbox_bypass_usage_total',
      'Events that got past a gate: bypassed, or approved by a token or a variable.',
      [
        ...single('bypassed').map(withByLabel('bypass')),
        ...single('approvedByToken').map(withByLabel('token')),
        ...single('approvedByVariable').map(withByLabel('variable')),
      ],
    ),
    counterMetric('signalbox_whitelisted_total', 'Calls that match an allowlist.', single('whitelisted')),
    counterMetric('signalbox_denial_tokens_total', 'Tokens of denial messages, estimated from their length.', [
      ...single('chars').map(([labels, chars]): MetricSample => [labels, estimateTokens(chars)]),
    ]),
    {
      ...{ name: 'signalbox_decision_seconds', type: 'histogram' },
      help: 'Time from receiving the payload until just before its record is committed.',
      samples: clients.flatMap(({ client, counts }) =>
        histogramLines('signalbox_decision_seconds', { client }, counts),
      ),
    },
    gaugeMetric('signalbox_audit_sequence', 'Number of the last counted record of the audit log.', [
      [{}, position?.seq ?? 0],
    ]),
    counterMetric(
      'signalbox_uncounted_records_total',
      'Records that were removed before they were counted, or cannot be read.',
      [[{}, (position?.missed ?? 0) + (position?.unreadable ?? 0)]],
    ),
  ]
  return metrics.map(renderMetric).join('')
}

/** The counters of this kind whose names have exactly one more part for each label. */
function samplesOf(
  counts: Counters,
  kind: string,
  labels: readonly string[],
  own: MetricLabels,
): readonly MetricSample[] {
  const found = [...counts].filter(([name]) => {
    const parts = counterNameParts(name)
    return parts[0] === kind && parts.length === labels.length + 1
  })
  return found
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => {
      const [, ...values] = counterNameParts(name)
      return [{ ...own, ...Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])) }, n]
    })
}

const withByLabel =
  (way: string) =>
  ([labels, n]: MetricSample): MetricSample => [{ ...labels, by: way }, n]
const withGateLabel = ([labels, n]: MetricSample): MetricSample => [{ ...labels, gate: labels.gate || 'none' }, n]
const withSnakeCaseEffect = (labels: MetricLabels): MetricLabels => ({
  ...labels,
  effect: (labels.effect ?? '').replace(' ', '_'),
})

function histogramLines(name: string, labels: MetricLabels, counts: Counters): readonly string[] {
  const buckets = [...counts].flatMap(([text, n]) => {
    const [kind, bucket] = counterNameParts(text)
    return kind === 'ms' && bucket !== undefined ? [[Number(bucket), n] as const] : []
  })
  const upTo = (ms: number) =>
    buckets.reduce((sum, [bucket, n]) => sum + ((BUCKET_BOUNDS[bucket] ?? Infinity) <= ms ? n : 0), 0)
  const all = upTo(Infinity)
  return [
    ...EXPORTED_BOUNDS.map(ms => sampleLine(`${name}_bucket`, { ...labels, le: String(ms / 1000) }, upTo(ms))),
    sampleLine(`${name}_bucket`, { ...labels, le: '+Inf' }, all),
    sampleLine(`${name}_sum`, labels, (counts.get('us') ?? 0) / 1e6),
    sampleLine(`${name}_count`, labels, all),
  ]
}

const counterMetric = (name: string, help: string, samples: readonly MetricSample[]): Metric =>
  createMetric(name, help, 'counter', samples)
const gaugeMetric = (name: string, help: string, samples: readonly MetricSample[]): Metric =>
  createMetric(name, help, 'gauge', samples)
const createMetric = (name: string, help: string, type: Metric['type'], samples: readonly MetricSample[]): Metric => ({
  ...{ name, help, type },
  samples: samples.map(([labels, value]) => sampleLine(name, labels, value)),
})

const renderMetric = ({ name, help, type, samples }: Metric): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map(sample => `${sample}\n`).join('')}`

function sampleLine(name: string, labels: MetricLabels, value: number): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}`
}

/** Escapes a label value; control characters and lone surrogates become blanks. */
const escapeLabel = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\p{Surrogate}]/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
