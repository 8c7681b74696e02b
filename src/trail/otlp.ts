import type { RawRecord } from '../store/index.ts'
import { type Found, foundIn } from './found.ts'
import { isBypassed, type Word, whatOf, wordOf } from './word.ts'

/** A value as OTLP has it in JSON: whole numbers are texts, for they may have 64 bits. */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly KeyValue[] } }

interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** Somebody was stopped, or would have been. */
const LOUD: readonly Word[] = ['DENY', 'ASK', 'ERROR', 'warn', 'would', 'bypass']
const SEVERITY = { info: 9, warn: 13, error: 17 } as const

const text = (value: string): AnyValue => ({ stringValue: whole(value) })
const int = (value: number): AnyValue => ({ intValue: String(Math.round(value)) })
const list = (values: readonly AnyValue[]): AnyValue => ({ arrayValue: { values } })

/** Half of a character is no text in UTF-8. */
const whole = (value: string): string => value.replace(/\p{Surrogate}/gu, '\ufffd')

const given = (key: string, value: AnyValue | undefined): readonly KeyValue[] => (value ? [{ key, value }] : [])
const texts = (key: string, values: readonly string[]): readonly KeyValue[] =>
  values.length > 0 ? [{ key, value: list(values.map(text)) }] : []

export interface Resource {
  readonly attributes: Readonly<Record<string, string>>
  readonly version: string
}

/** What is posted to `/v1/logs`. */
export const requestOf = (records: readonly RawRecord[], { attributes, version }: Resource, now: number) => ({
  resourceLogs: [
    {
      resource: { attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: text(value) })) },
      scopeLogs: [
        {
          scope: { name: 'signalbox', version },
          logRecords: records.map(raw => logRecord(raw, nanos(now))),
        },
      ],
    },
  ],
})

const nanos = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n)

function logRecord(raw: RawRecord, observed: string) {
  const found = foundIn(raw)
  const identity: readonly KeyValue[] = [
    // whoever gets it twice (the line was cut after it was taken) can tell
    { key: 'log.record.uid', value: text(raw.hash) },
    { key: 'signalbox.seq', value: int(raw.seq) },
  ]
  if (!found)
    return {
      timeUnixNano: observed,
      observedTimeUnixNano: observed,
      ...severity('error'),
      body: text(`record ${raw.seq} cannot be read`),
      attributes: [...identity, { key: 'signalbox.raw', value: text(raw.json) }],
    }
  const { record } = found
  return {
    timeUnixNano: nanos(Math.max(record.at, 0)),
    observedTimeUnixNano: observed,
    ...severityOf(found),
    eventName: `signalbox.${record.event}`,
    body: text(`${LOUD.includes(wordOf(record)) ? wordOf(record) : record.decision} ${whatOf(record)}`),
    attributes: [...identity, ...attributesOf(found)],
  }
}

const severity = (level: keyof typeof SEVERITY) => ({
  severityNumber: SEVERITY[level],
  severityText: level.toUpperCase(),
})

function severityOf({ record }: Found) {
  if (record.errors.length > 0) return severity('error')
  return severity(LOUD.includes(wordOf(record)) ? 'warn' : 'info')
}

function attributesOf({ record }: Found): readonly KeyValue[] {
  const { client, session, caller, turn, event, name, tool, acts, decision, reason, gate, rule, ms, policy } = record
  return [
    { key: 'signalbox.client', value: text(client) },
    ...given('signalbox.root', record.root === undefined ? undefined : text(record.root)),
    ...given('session.id', session === '' ? undefined : text(session)),
    { key: 'signalbox.caller', value: text(caller) },
    ...given('signalbox.agent', record.agent === undefined ? undefined : text(record.agent)),
    { key: 'signalbox.turn', value: int(turn) },
    { key: 'signalbox.event', value: text(event) },
    { key: 'signalbox.event.name', value: text(name) },
    ...given('signalbox.tool', tool === undefined ? undefined : text(tool)),
    ...texts('signalbox.acts', acts),
    ...given('signalbox.line', record.line === undefined ? undefined : text(record.line)),
    ...given('signalbox.ended', record.ended === undefined ? undefined : text(record.ended)),
    { key: 'signalbox.decision', value: text(decision) },
    ...given('signalbox.reason', reason === undefined ? undefined : text(reason)),
    ...given('signalbox.gate', gate === undefined ? undefined : text(gate)),
    ...given('signalbox.rule', rule === undefined ? undefined : text(rule)),
    ...given('signalbox.matches', record.matches.length > 0 ? list(record.matches.map(matchOf)) : undefined),
    ...given('signalbox.bypassed', isBypassed(record) ? { boolValue: true } : undefined),
    ...texts(
      'signalbox.moves',
      record.moves.map(one => `${one.gate} ${one.from} ${one.to}`),
    ),
    ...texts('signalbox.notes', record.notes),
    ...texts('signalbox.errors', record.errors),
    ...given('signalbox.duration_ms', ms === undefined ? undefined : { doubleValue: ms }),
    ...given('signalbox.policy', policy === '' ? undefined : text(policy)),
  ]
}

const matchOf = ({ gate, rule, says, effect, mode, bypassed }: Found['record']['matches'][number]): AnyValue => ({
  kvlistValue: {
    values: [
      ...Object.entries({ gate, rule, says, effect, mode }).map(([key, value]) => ({ key, value: text(value) })),
      ...given('bypassed', bypassed ? { boolValue: true } : undefined),
    ],
  },
})
