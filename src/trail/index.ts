export { parseCollector } from './collector.ts'
export { CSV_HEADER, csvLine } from './csv.ts'
export {
  actorsOf,
  decisionLabelsOf,
  gatesOfRecord,
  isClientMatch,
  matchesFilter,
  mayMatch,
  parseRecordFilter,
  type RecordFilter,
  searchWordsOf,
} from './filter.ts'
export { followAuditLog } from './follow.ts'
export { type ParsedRecord, parseRecord } from './found.ts'
export { jsonLine } from './json.ts'
export { NO_PAINT } from './line.ts'
export { AuditLogPrinter } from './log.ts'
export { readLatestRecords, readRecordPages } from './read.ts'
export { type Delivery, Shipment } from './ship.ts'
export { describeRecord, gateOfRecord, hasBypass, isNotable, type OutcomeLabel, outcomeLabelOf } from './word.ts'
