import type { Report } from '../run.ts'
import { failedOf, type Named } from './words.ts'

/** Everything, for programs. */
export function jsonReport(report: Report, { label }: Named): string {
  const { cases, problems, notes, covered, ms } = report
  const failed = failedOf(report).length
  const told = {
    ok: failed === 0 && problems.length === 0,
    passed: cases.length - failed,
    failed,
    ms,
    cases: cases.map(one => ({ ...one, file: label(one.file), ok: one.failures.length === 0 })),
    problems: problems.map(one => ({ ...one, file: label(one.file) })),
    notes,
    coverage: covered,
  }
  return `${JSON.stringify(told, null, 2)}\n`
}
