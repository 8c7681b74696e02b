import { escapeControlCharsInJson } from '../../lib/escape-control-chars.ts'
import type { TestReport } from '../policy-test/run-tests.ts'
import { caseTitle, describeFailure, type FileLabels, failedCases } from './report-text.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** Encodes each path segment: `#`, `?` and `:` have a meaning in a URI. */
const toUri = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** SARIF 2.1.0, for code scanners. */
export function sarifReport(report: TestReport, { label }: FileLabels, version: string): string {
  const result = (ruleId: string, message: string, file: string, line: number, column?: number) => ({
    ruleId,
    level: 'error',
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(label(file)) },
          region: { startLine: line, ...(column && { startColumn: column }) },
        },
      },
    ],
  })
  const results = [
    ...report.problems.map(({ file, line, column, message, help }) =>
      result('policy-test-error', [message, help].filter(Boolean).join('; '), file, line, column),
    ),
    ...failedCases(report).flatMap(caseResult =>
      caseResult.failures.map(failure =>
        result(
          'policy-test-failed',
          `${caseTitle(caseResult)}: ${[failure.event, ...describeFailure(failure)].join('\n')}`,
          caseResult.file,
          failure.line,
        ),
      ),
    ),
  ]
  const rules = [
    { id: 'policy-test-failed', shortDescription: { text: 'The policy decides differently than its test expects' } },
    { id: 'policy-test-error', shortDescription: { text: 'The policy or its tests have errors' } },
  ]
  const driver = { name: 'signalbox', version, rules }
  const log = { $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, results }] }
  return `${escapeControlCharsInJson(JSON.stringify(log, null, 2))}\n`
}
