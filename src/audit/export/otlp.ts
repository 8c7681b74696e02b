import type { RawRecord } from '../../store/index.ts'
import { describeRecord, hasBypass, type OutcomeLabel, outcomeLabelOf } from '../outcome-label.ts'
import { type ParsedRecord, parseRecord } from '../parsed-record.ts'

/** A value in OTLP/JSON: integers are strings, because they can have 64 bits. */
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

/** An agent was stopped or would have been, a gate was bypassed, or something failed. */
const WARNING_WORDS: readonly OutcomeLabel[] = ['DENY', 'ASK', 'ERROR', 'warn', 'would', 'bypass']
const SEVERITY = { info: 9, warn: 13, error: 17 } as const

const toStringValue = (value: string): AnyValue => ({ stringValue: replaceSurrogates(value) })
const toIntValue = (value: number): AnyValue => ({ intValue: String(Math.round(value)) })
const toArrayValue = (values: readonly AnyValue[]): AnyValue => ({ arrayValue: { values } })

/** Lone surrogates are not valid in UTF-8. */
const replaceSurrogates = (value: string): string => value.replace(/\p{Surrogate}/gu, '\ufffd')

const optionalAttribute = (key: string, value: AnyValue | undefined): readonly KeyValue[] =>
  value ? [{ key, value }] : []
const stringListAttribute = (key: string, values: readonly string[]): readonly KeyValue[] =>
  values.length > 0 ? [{ key, value: toArrayValue(values.map(toStringValue)) }] : []

export interface OtlpResource {
  readonly attributes: Readonly<Record<string, string>>
  readonly version: string
}

/** The request body for `/v1/logs`. */
export const buildOtlpRequest = (
  records: readonly RawRecord[],
  { attributes, version }: OtlpResource,
  now: number,
) => ({
  resourceLogs: [
    {
      resource: {
        attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: toStringValue(value) })),
      },
      scopeLogs: [
        {
          scope: { name: 'signalbox', version },
          logRecords: records.map(raw => toLogRecord(raw, toNanoseconds(now))),
        },
      ],
    },
  ],
})

const toNanoseconds = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n)

function toLogRecord(raw: RawRecord, observed: string) {
  const found = parseRecord(raw)
  const identity: readonly KeyValue[] = [
    // Lets a collector detect duplicates, which it gets if the connection breaks after it accepted a batch.
    { key: 'log.record.uid', value: toStringValue(raw.hash) },
    { key: 'signalbox.seq', value: toIntValue(raw.seq) },
  ]
  if (!found)
    return {
      timeUnixNano: observed,
      observedTimeUnixNano: observed,
      ...severityFields('error'),
      body: toStringValue(`record ${raw.seq} cannot be read`),
      attributes: [...identity, { key: 'signalbox.raw', value: toStringValue(raw.json) }],
    }
  const { record } = found
  return {
    timeUnixNano: toNanoseconds(Math.max(record.at, 0)),
    observedTimeUnixNano: observed,
    ...severityOf(found),
    eventName: `signalbox.${record.event}`,
    body: toStringValue(
      `${WARNING_WORDS.includes(outcomeLabelOf(record)) ? outcomeLabelOf(record) : record.decision} ${describeRecord(record)}`,
    ),
    attributes: [...identity, ...attributesOf(found)],
  }
}

const severityFields = (level: keyof typeof SEVERITY) => ({
  severityNumber: SEVERITY[level],
  severityText: level.toUpperCase(),
})

function severityOf({ record }: ParsedRecord) {
  if (record.errors.length > 0) return severityFields('error')
  return severityFields(WARNING_WORDS.includes(outcomeLabelOf(record)) ? 'warn' : 'info')
}

function attributesOf({ record }: ParsedRecord): readonly KeyValue[] {
  const { client, session, caller, turn, event, name, tool, acts, decision, reason, gate, rule, ms, policy } = record
  return [
    { key: 'signalbox.client', value: toStringValue(client) },
    ...optionalAttribute('signalbox.root', record.root === undefined ? undefined : toStringValue(record.root)),
    ...optionalAttribute('session.id', session === '' ? undefined : toStringValue(session)),
    { key: 'signalbox.caller', value: toStringValue(caller) },
    ...optionalAttribute('signalbox.agent', record.agent === undefined ? undefined : toStringValue(record.agent)),
    { key: 'signalbox.turn', value: toIntValue(turn) },
    { key: 'signalbox.event', value: toStringValue(event) },
    { key: 'signalbox.event.name', value: toStringValue(name) },
    ...optionalAttribute('signalbox.tool', tool === undefined ? undefined : toStringValue(tool)),
    ...stringListAttribute('signalbox.acts', acts),
    ...optionalAttribute('signalbox.line', record.line === undefined ? undefined : toStringValue(record.line)),
    ...optionalAttribute('signalbox.ended', record.ended === undefined ? undefined : toStringValue(record.ended)),
    { key: 'signalbox.decision', value: toStringValue(decision) },
    ...optionalAttribute('signalbox.reason', reason === undefined ? undefined : toStringValue(reason)),
    ...optionalAttribute('signalbox.gate', gate === undefined ? undefined : toStringValue(gate)),
    ...optionalAttribute('signalbox.rule', rule === undefined ? undefined : toStringValue(rule)),
    ...optionalAttribute(
      'signalbox.matches',
      record.matches.length > 0 ? toArrayValue(record.matches.map(matchAttribute)) : undefined,
    ),
    ...optionalAttribute('signalbox.bypassed', hasBypass(record) ? { boolValue: true } : undefined),
    ...stringListAttribute(
      'signalbox.moves',
      record.moves.map(move => `${move.gate} ${move.from} ${move.to}`),
    ),
    ...stringListAttribute('signalbox.notes', record.notes),
    ...stringListAttribute('signalbox.errors', record.errors),
    ...optionalAttribute('signalbox.duration_ms', ms === undefined ? undefined : { doubleValue: ms }),
    ...optionalAttribute('signalbox.policy', policy === '' ? undefined : toStringValue(policy)),
  ]
}

const matchAttribute = ({
  gate,
  rule,
  decision,
  effect,
  mode,
  bypassed,
}: ParsedRecord['record']['matches'][number]): AnyValue => ({
  kvlistValue: {
    values: [
      ...Object.entries({ gate, rule, decision, effect, mode }).map(([key, value]) => ({
        key,
        value: toStringValue(value),
      })),
      ...optionalAttribute('bypassed', bypassed ? { boolValue: true } : undefined),
    ],
  },
})
