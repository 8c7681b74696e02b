import { isDeepStrictEqual } from 'node:util'
import { escapeControlChars } from '../../lib/escape-control-chars.ts'
import { formatPolicyError, type PolicyError } from '../../policy/index.ts'
import type { CoverageReport, UncoveredPart } from '../policy-test/coverage.ts'
import type { TestReport } from '../policy-test/run-tests.ts'
import {
  caseTitle,
  describeFailure,
  escapeControlCharsInLines,
  type FileLabels,
  failedCases,
  locationText,
} from './report-text.ts'

const MAX_UNCOVERED_SHOWN = 8

interface PlainReportOptions extends FileLabels {
  readonly width?: number | undefined
  /** the previous report: uncovered parts are not listed again while they are the same */
  readonly before?: TestReport | undefined
}

/** Output for people: failures, totals, and parts of the policy that no test covers. */
export function plainReport(report: TestReport, { label, width, before }: PlainReportOptions): string {
  const { cases, problems, notes, covered, ms } = report
  const failed = failedCases(report)
  const show = (error: PolicyError): string => formatPolicyError(error, label, width)
  const lines = [
    ...problems.map(problem => `ERROR  ${show(problem)}`),
    ...failed.flatMap(caseResult =>
      caseResult.failures.flatMap(failure => [
        `FAIL  ${escapeControlChars(`${caseTitle(caseResult)} > ${failure.event}`)}  ${label(caseResult.file)}:${failure.line}`,
        ...describeFailure(failure).map(line => `      ${line}`),
      ]),
    ),
    summaryLine(cases.length - failed.length, failed.length, problems.length, ms),
    ...(cases.length > 0 ? coverageLines(covered, { label }, before?.covered) : []),
    ...notes.map(note => `Note  ${note}`),
  ]
  return `${escapeControlCharsInLines(lines.join('\n'))}\n`
}

function summaryLine(passed: number, failed: number, problems: number, ms: number): string {
  const time = `${(ms / 1000).toFixed(1)} s`
  const broken = problems > 0 ? `, ${problems} problem${problems === 1 ? '' : 's'}` : ''
  const head = failed + problems === 0 ? 'OK  ' : ''
  return `${head}${passed} passed, ${failed} failed${broken}, ${time}`
}

function coverageLines(
  { gates, rules, routes, transitions, unseen }: CoverageReport,
  named: FileLabels,
  before: CoverageReport | undefined,
): readonly string[] {
  const share = (name: string, { seen, total }: CoverageReport['gates']): readonly string[] =>
    total === 0 ? [] : [`${name} ${seen}/${total}`]
  const shares = [
    ...share('gates', gates),
    ...share('rules', rules),
    ...share('routes', routes),
    ...share('transitions', transitions),
  ]
  const head = `Coverage  ${shares.join(', ') || 'this policy has no gates'}`
  if (unseen.length > 0 && isDeepStrictEqual(unseen, before?.unseen)) return [`${head}; not covered: as before`]
  const own = unseen.filter(part => packOf(part) === undefined)
  const shown = own.slice(0, MAX_UNCOVERED_SHOWN).map(part => uncoveredPartText(part, named))
  const more = own.length > shown.length ? [`and ${own.length - shown.length} more`] : []
  return [
    head,
    ...[...shown, ...more, ...packLines(unseen)].map(
      (line, nth) => `${nth === 0 ? '  not covered  ' : '               '}${line}`,
    ),
  ]
}

/** The built-in pack of a part; undefined for the project's own files. */
const packOf = ({ at = '' }: UncoveredPart): string | undefined => /^packs\/([^/]+)\//.exec(at)?.[1]

/** One line per pack, after the project's own parts: built-in packs have tests of their own. */
function packLines(unseen: readonly UncoveredPart[]): readonly string[] {
  const packs = [...new Set(unseen.flatMap(part => packOf(part) ?? []))]
  return packs.map(pack => {
    const parts = unseen.filter(part => packOf(part) === pack)
    const counts = (['rule', 'route', 'transition'] as const).flatMap(what => {
      const many = parts.filter(part => part.what === what).length
      return many === 0 ? [] : [`${many} ${what}${many === 1 ? '' : 's'}`]
    })
    return `pack ${pack}: ${counts.join(', ')}`
  })
}

const uncoveredPartText = ({ gate, id, what, at }: UncoveredPart, named: FileLabels): string =>
  `${gate} ${what === 'rule' ? '' : `${what} `}${id}${at ? `  ${locationText(at, named)}` : ''}`
