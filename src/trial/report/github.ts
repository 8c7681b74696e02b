import type { Report } from '../run.ts'
import { failedOf, type Named, titleOf, visibleLines, wrongWords } from './words.ts'

/** Workflow commands: each failure becomes a remark beside its line. */
export function githubReport(report: Report, { label }: Named): string {
  const problems = report.problems.map(({ file, line, column, message, help }) =>
    remark({ file: label(file), line, col: column, title: 'signalbox' }, [message, help].filter(Boolean).join('; ')),
  )
  const failures = failedOf(report).flatMap(one =>
    one.failures.map(failure =>
      remark(
        { file: label(one.file), line: failure.line, title: titleOf(one) },
        [failure.event, ...wrongWords(failure)].join('\n'),
      ),
    ),
  )
  return [...problems, ...failures].map(line => `${line}\n`).join('')
}

/** A warning stands beside its line, and fails nothing. */
export function remark(
  properties: Readonly<Record<string, string | number>>,
  message: string,
  level: 'error' | 'warning' = 'error',
): string {
  const list = Object.entries(properties).map(
    ([key, value]) => `${key}=${escaped(String(value)).replace(/[:,]/g, percent)}`,
  )
  return `::${level} ${list.join(',')}::${escaped(message)}`
}

const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
const escaped = (text: string): string => visibleLines(text).replace(/[%\r\n]/g, percent)
