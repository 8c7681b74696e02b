import { escapeControlCharsInJson } from '../../lib/escape-control-chars.ts'
import type { TestReport } from '../policy-test/run-tests.ts'
import { type FileLabels, failedCases, locationText } from './report-text.ts'

/** The complete report, for programs. */
export function jsonReport(report: TestReport, named: FileLabels): string {
  const { label } = named
  const { cases, problems, notes, covered, ms } = report
  const failed = failedCases(report).length
  const json = {
    ok: failed === 0 && problems.length === 0,
    passed: cases.length - failed,
    failed,
    ms,
    cases: cases.map(one => ({ ...one, file: label(one.file), ok: one.failures.length === 0 })),
    problems: problems.map(one => ({ ...one, file: label(one.file) })),
    notes,
    coverage: {
      ...covered,
      unseen: covered.unseen.map(one => (one.at === undefined ? one : { ...one, at: locationText(one.at, named) })),
    },
  }
  return `${escapeControlCharsInJson(JSON.stringify(json, null, 2))}\n`
}
