import type { CaseResult, ExpectationStep, TestReport } from '../policy-test/run-tests.ts'
import { caseTitle, describeFailure, escapeControlCharsInLines, type FileLabels } from './report-text.ts'

/** JUnit XML: a suite for each file, a case for each event with an expectation. Problems are errors of their file. */
export function junitReport(report: TestReport, { label }: FileLabels): string {
  const files = [
    ...new Set([...report.cases.map(caseResult => caseResult.file), ...report.problems.map(problem => problem.file)]),
  ]
  const suites = files.map(file => testSuiteXml(file, report, label))
  const totals = countAttributes(
    sumBy(report.cases, caseResult => caseResult.steps.length),
    sumBy(report.cases, caseResult => caseResult.failures.length),
    report.problems.length,
    report.ms,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="signalbox"${totals}>\n${suites.join('')}</testsuites>\n`
}

function testSuiteXml(file: string, report: TestReport, label: FileLabels['label']): string {
  const cases = report.cases.filter(caseResult => caseResult.file === file)
  const problems = report.problems.filter(problem => problem.file === file)
  const ms = sumBy(cases, caseResult => caseResult.ms)
  const stepCount = sumBy(cases, caseResult => caseResult.steps.length)
  const failed = sumBy(cases, caseResult => caseResult.failures.length)
  const errors = problems.map(
    ({ line, message, help }) =>
      `    <testcase name="line ${line}" classname="${xmlText(label(file))}"><error message="${xmlText([message, help].filter(Boolean).join('; '))}"/></testcase>\n`,
  )
  return `  <testsuite name="${xmlText(label(file))}"${countAttributes(stepCount, failed, problems.length, ms)}>\n${errors.join('')}${cases.flatMap(caseResult => caseResult.steps.map(step => testCaseXml(caseResult, step, label))).join('')}  </testsuite>\n`
}

const countAttributes = (tests: number, failures: number, errors: number, ms: number): string =>
  ` tests="${tests + errors}" failures="${failures}" errors="${errors}" time="${(ms / 1000).toFixed(3)}"`

const sumBy = <T>(list: readonly T[], of: (item: T) => number): number => list.reduce((all, item) => all + of(item), 0)

/** `pushing waits for the tests > 3 shell: git push`: test name and event number make each case name unique. */
function testCaseXml(
  caseResult: CaseResult,
  { nth, line, event }: ExpectationStep,
  label: FileLabels['label'],
): string {
  const name = xmlText(`${caseTitle(caseResult)} > ${nth} ${event}`)
  const time = (caseResult.ms / Math.max(1, caseResult.steps.length) / 1000).toFixed(3)
  const head = `    <testcase name="${name}" classname="${xmlText(label(caseResult.file))}" file="${xmlText(label(caseResult.file))}" line="${line}" time="${time}"`
  const failure = caseResult.failures.find(other => other.nth === nth)
  if (!failure) return `${head}/>\n`
  const words = describeFailure(failure)
  const failureText = xmlText(`${label(caseResult.file)}:${line} ${event}\n${words.join('\n')}`)
  return `${head}>\n      <failure message="${xmlText(words[0] ?? '')}">${failureText}</failure>\n    </testcase>\n`
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Replaces what XML 1.0 does not allow: control characters are escaped, lone surrogates become U+FFFD. */
const xmlText = (value: string): string =>
  [...escapeControlCharsInLines(value)]
    .map(sign => XML_ENTITIES[sign] ?? (INVALID_XML_CHAR.test(sign) ? '\uFFFD' : sign))
    .join('')

const INVALID_XML_CHAR = /[\uFFFE\uFFFF]|\p{Cs}/u
