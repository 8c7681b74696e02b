import { visibleJson } from '../../pattern/index.ts'
import type { Report } from '../run.ts'
import { failedOf, type Named, placeText } from './words.ts'

/** Everything, for programs. */
export function jsonReport(report: Report, named: Named): string {
  const { label } = named
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
    coverage: {
      ...covered,
      unseen: covered.unseen.map(one => (one.at === undefined ? one : { ...one, at: placeText(one.at, named) })),
    },
  }
  return `${visibleJson(JSON.stringify(told, null, 2))}\n`
}
