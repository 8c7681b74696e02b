export { parseCollector } from './export/collector.ts'
export { CSV_HEADER, csvLine } from './export/csv.ts'
export { jsonLine } from './export/json-lines.ts'
export { type Delivery, Shipment } from './export/ship.ts'
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
export {
  describeRecord,
  gateOfRecord,
  hasBypass,
  hasEffect,
  type OutcomeLabel,
  outcomeLabelOf,
} from './outcome-label.ts'
export { type ParsedRecord, parseRecord } from './parsed-record.ts'
export { AuditLogPrinter } from './print/audit-log-printer.ts'
export { NO_PAINT } from './print/log-line.ts'
export { readLatestRecords, readRecordPages } from './read-records.ts'
