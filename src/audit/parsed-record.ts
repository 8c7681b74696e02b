import { isObject } from '../lib/json.ts'
import type { AuditRecord, RawRecord } from '../store/index.ts'

/** One parsed record of the audit log. */
export interface ParsedRecord {
  readonly seq: number
  readonly hash: string
  readonly record: AuditRecord
}

/** Undefined if it does not have the shape of a record; `signalbox audit verify` reports why. */
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

/** Checks every field, because other programs can write to the database file. */
function isAuditRecord(value: unknown): value is AuditRecord {
  if (!isObject(value)) return false
  const { at, turn, matches, moves, ms } = value
  return (
    isTime(at) &&
    typeof turn === 'number' &&
    (ms === undefined || typeof ms === 'number') &&
    TEXT_KEYS.every(key => typeof value[key] === 'string') &&
    OPTIONAL_TEXT_KEYS.every(key => value[key] === undefined || typeof value[key] === 'string') &&
    LIST_KEYS.every(key => isListOf(value[key], item => typeof item === 'string')) &&
    isListOf(matches, isRuleMatch) &&
    isListOf(moves, item => isObject(item) && typeof item.gate === 'string' && typeof item.to === 'string')
  )
}

const isRuleMatch = (value: unknown): boolean =>
  isObject(value) && ['gate', 'rule', 'decision', 'effect', 'mode'].every(key => typeof value[key] === 'string')

const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(is)

/** In the range of a JavaScript `Date`. */
const isTime = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= 8.64e15
