import type { AskedStep, CaseResult, Report } from '../run.ts'
import { type Named, titleOf, visibleLines, wrongWords } from './words.ts'

/** JUnit XML, a suite for each file, a case for each event of a session of which something is expected. What could not be run is an error of its file. */
export function junitReport(report: Report, { label }: Named): string {
  const files = [...new Set([...report.cases.map(one => one.file), ...report.problems.map(one => one.file)])]
  const suites = files.map(file => suite(file, report, label))
  const totals = countsOf(
    sum(report.cases, one => one.steps.length),
    sum(report.cases, one => one.failures.length),
    report.problems.length,
    report.ms,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="signalbox"${totals}>\n${suites.join('')}</testsuites>\n`
}

function suite(file: string, report: Report, label: Named['label']): string {
  const cases = report.cases.filter(one => one.file === file)
  const problems = report.problems.filter(one => one.file === file)
  const ms = sum(cases, one => one.ms)
  const asked = sum(cases, one => one.steps.length)
  const failed = sum(cases, one => one.failures.length)
  const errors = problems.map(
    ({ line, message, help }) =>
      `    <testcase name="line ${line}" classname="${text(label(file))}"><error message="${text([message, help].filter(Boolean).join('; '))}"/></testcase>\n`,
  )
  return `  <testsuite name="${text(label(file))}"${countsOf(asked, failed, problems.length, ms)}>\n${errors.join('')}${cases.flatMap(one => one.steps.map(step => testcase(one, step, label))).join('')}  </testsuite>\n`
}

const countsOf = (tests: number, failures: number, errors: number, ms: number): string =>
  ` tests="${tests + errors}" failures="${failures}" errors="${errors}" time="${(ms / 1000).toFixed(3)}"`

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((all, one) => all + of(one), 0)

/** `pushing waits for the tests > 3 shell: git push`: the session and the event in it, so that no two are called alike. */
function testcase(one: CaseResult, { nth, line, event }: AskedStep, label: Named['label']): string {
  const name = text(`${titleOf(one)} > ${nth} ${event}`)
  const time = (one.ms / Math.max(1, one.steps.length) / 1000).toFixed(3)
  const head = `    <testcase name="${name}" classname="${text(label(one.file))}" file="${text(label(one.file))}" line="${line}" time="${time}"`
  const failure = one.failures.find(other => other.nth === nth)
  if (!failure) return `${head}/>\n`
  const words = wrongWords(failure)
  const told = text(`${label(one.file)}:${line} ${event}\n${words.join('\n')}`)
  return `${head}>\n      <failure message="${text(words[0] ?? '')}">${told}</failure>\n    </testcase>\n`
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }

/** XML 1.0 knows neither control characters nor halves of a pair: they are written out. */
const text = (value: string): string =>
  [...visibleLines(value)].map(sign => SIGNS[sign] ?? (NONE.test(sign) ? '\uFFFD' : sign)).join('')

const NONE = /[\uFFFE\uFFFF]|\p{Cs}/u
