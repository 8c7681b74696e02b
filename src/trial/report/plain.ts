import { type PolicyError, showProblem } from '../../policy/index.ts'
import type { Covered, Unseen } from '../coverage.ts'
import type { Report } from '../run.ts'
import { failedOf, type Named, placeText, titleOf, wrongWords } from './words.ts'

const MOST_UNSEEN = 8

/** For a person: what failed, how many did not, and what no test has touched. */
export function plainReport(report: Report, { label, width }: Named & { readonly width?: number | undefined }): string {
  const { cases, problems, notes, covered, ms } = report
  const failed = failedOf(report)
  const show = (one: PolicyError): string => showProblem(one, label, width)
  const lines = [
    ...problems.map(one => `ERROR  ${show(one)}`),
    ...failed.flatMap(one =>
      one.failures.flatMap(failure => [
        `FAIL  ${titleOf(one)} > ${failure.event}  ${label(one.file)}:${failure.line}`,
        ...wrongWords(failure).map(line => `      ${line}`),
      ]),
    ),
    summary(cases.length - failed.length, failed.length, problems.length, ms),
    ...(cases.length > 0 ? coverage(covered, { label }) : []),
    ...notes.map(note => `Note  ${note}`),
  ]
  return `${lines.join('\n')}\n`
}

function summary(passed: number, failed: number, problems: number, ms: number): string {
  const time = `${(ms / 1000).toFixed(1)} s`
  const broken = problems > 0 ? `, ${problems} problem${problems === 1 ? '' : 's'}` : ''
  const head = failed + problems === 0 ? 'OK  ' : ''
  return `${head}${passed} passed, ${failed} failed${broken}, ${time}`
}

function coverage({ gates, rules, routes, transitions, unseen }: Covered, named: Named): readonly string[] {
  const share = (name: string, { seen, total }: Covered['gates']): readonly string[] =>
    total === 0 ? [] : [`${name} ${seen}/${total}`]
  const shares = [
    ...share('gates', gates),
    ...share('rules', rules),
    ...share('routes', routes),
    ...share('transitions', transitions),
  ]
  const shown = unseen.slice(0, MOST_UNSEEN).map(one => unseenText(one, named))
  const more = unseen.length > shown.length ? [`and ${unseen.length - shown.length} more`] : []
  return [
    `Coverage  ${shares.join(', ') || 'there is no gate in this policy'}`,
    ...[...shown, ...more].map((line, nth) => `${nth === 0 ? '  unseen  ' : '          '}${line}`),
  ]
}

const unseenText = ({ gate, id, what, at }: Unseen, named: Named): string =>
  `${gate} ${what === 'rule' ? '' : `${what} `}${id}${at ? `  ${placeText(at, named)}` : ''}`
