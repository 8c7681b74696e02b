import { isObject } from '../lib/json.ts'
import type { AuditRecord, RawRecord } from '../store/index.ts'

/** One record of the trail, read. */
export interface ParsedRecord {
  readonly seq: number
  readonly hash: string
  readonly record: AuditRecord
}

/** Undefined: it is not as any Signalbox writes it; `signalbox audit verify` tells why. */
export function parseRecord({ seq, hash, json }: RawRecord): ParsedRecord | undefined {
  try {
    const record: unknown = JSON.parse(json)
    return isAuditRecord(record) ? { seq, hash, record } : undefined
  } catch {
    return undefined
  }
}

const TEXT_KEYS = ['client', 'session', 'event', 'name', 'caller', 'decision', 'policy']
const LIST_KEYS = ['acts', 'notes', 'errors']
const OPTIONAL_TEXT_KEYS = ['tool', 'reason', 'gate', 'rule', 'root', 'agent', 'line', 'ended']

/** The database lies in a folder where others may have written. */
function isAuditRecord(value: unknown): value is AuditRecord {
  if (!isObject(value)) return false
  const { at, turn, matches, moves, ms } = value
  return (
    isTime(at) &&
    typeof turn === 'number' &&
    (ms === undefined || typeof ms === 'number') &&
    TEXT_KEYS.every(key => typeof value[key] === 'string') &&
    OPTIONAL_TEXT_KEYS.every(key => value[key] === undefined || typeof value[key] === 'string') &&
    LIST_KEYS.every(key => isListOf(value[key], one => typeof one === 'string')) &&
    isListOf(matches, isRuleMatch) &&
    isListOf(moves, one => isObject(one) && typeof one.gate === 'string' && typeof one.to === 'string')
  )
}

const isRuleMatch = (one: unknown): boolean =>
  isObject(one) && ['gate', 'rule', 'says', 'effect', 'mode'].every(key => typeof one[key] === 'string')

const isListOf = (value: unknown, is: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(is)

/** What a date can be made of. */
const isTime = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= 8.64e15
