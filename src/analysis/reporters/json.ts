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
    cases: cases.map(caseResult => ({
      ...caseResult,
      file: label(caseResult.file),
      ok: caseResult.failures.length === 0,
    })),
    problems: problems.map(problem => ({ ...problem, file: label(problem.file) })),
    notes,
    coverage: {
      ...covered,
      unseen: covered.unseen.map(part =>
        part.at === undefined ? part : { ...part, at: locationText(part.at, named) },
      ),
    },
  }
  return `${escapeControlCharsInJson(JSON.stringify(json, null, 2))}\n`
}
