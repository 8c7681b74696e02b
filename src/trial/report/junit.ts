import type { CaseResult, Report } from '../run.ts'
import { failedOf, type Named, titleOf, wrongWords } from './words.ts'

/** JUnit XML, a suite for each file. What could not be run is an error of its file. */
export function junitReport(report: Report, { label }: Named): string {
  const files = [...new Set([...report.cases.map(one => one.file), ...report.problems.map(one => one.file)])]
  const suites = files.map(file => suite(file, report, label))
  const totals = countsOf(report.cases.length, failedOf(report).length, report.problems.length, report.ms)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="signalbox"${totals}>\n${suites.join('')}</testsuites>\n`
}

function suite(file: string, report: Report, label: Named['label']): string {
  const cases = report.cases.filter(one => one.file === file)
  const problems = report.problems.filter(one => one.file === file)
  const ms = cases.reduce((sum, one) => sum + one.ms, 0)
  const failed = cases.filter(one => one.failures.length > 0).length
  const errors = problems.map(
    ({ line, message, help }) =>
      `    <testcase name="line ${line}" classname="${text(label(file))}"><error message="${text([message, help].filter(Boolean).join('; '))}"/></testcase>\n`,
  )
  return `  <testsuite name="${text(label(file))}"${countsOf(cases.length, failed, problems.length, ms)}>\n${errors.join('')}${cases.map(one => testcase(one, label)).join('')}  </testsuite>\n`
}

const countsOf = (tests: number, failures: number, errors: number, ms: number): string =>
  ` tests="${tests + errors}" failures="${failures}" errors="${errors}" time="${(ms / 1000).toFixed(3)}"`

function testcase(one: CaseResult, label: Named['label']): string {
  const head = `    <testcase name="${text(titleOf(one))}" classname="${text(label(one.file))}" file="${text(label(one.file))}" line="${one.line}" time="${(one.ms / 1000).toFixed(3)}"`
  if (one.failures.length === 0) return `${head}/>\n`
  const failures = one.failures.map(failure => {
    const words = wrongWords(failure)
    return `      <failure message="${text(words[0] ?? '')}">${text(`${label(one.file)}:${failure.line} ${failure.event}\n${words.join('\n')}`)}</failure>\n`
  })
  return `${head}>\n${failures.join('')}    </testcase>\n`
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }

/** XML knows no control characters. */
const isForbidden = (sign: string): boolean => sign < ' ' && sign !== '\n' && sign !== '\t'

const text = (value: string): string =>
  [...value].map(sign => (isForbidden(sign) ? '' : (SIGNS[sign] ?? sign))).join('')
