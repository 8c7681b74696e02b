import type { TestReport } from '../policy-test/run-tests.ts'
import { caseTitle, describeFailure, escapeControlCharsInLines, type FileLabels, failedCases } from './report-text.ts'

/** GitHub workflow commands: each failure becomes an annotation at its line. */
export function githubReport(report: TestReport, { label }: FileLabels): string {
  const problems = report.problems.map(({ file, line, column, message, help }) =>
    githubAnnotation(
      { file: label(file), line, col: column, title: 'signalbox' },
      [message, help].filter(Boolean).join('; '),
    ),
  )
  const failures = failedCases(report).flatMap(caseResult =>
    caseResult.failures.map(failure =>
      githubAnnotation(
        { file: label(caseResult.file), line: failure.line, title: caseTitle(caseResult) },
        [failure.event, ...describeFailure(failure)].join('\n'),
      ),
    ),
  )
  return [...problems, ...failures].map(line => `${line}\n`).join('')
}

/** A warning is shown at its line but does not fail the job. */
export function githubAnnotation(
  properties: Readonly<Record<string, string | number>>,
  message: string,
  level: 'error' | 'warning' = 'error',
): string {
  const list = Object.entries(properties).map(
    ([key, value]) => `${key}=${escapeWorkflowText(String(value)).replace(/[:,]/g, percentEncode)}`,
  )
  return `::${level} ${list.join(',')}::${escapeWorkflowText(message)}`
}

const percentEncode = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
const escapeWorkflowText = (text: string): string => escapeControlCharsInLines(text).replace(/[%\r\n]/g, percentEncode)
