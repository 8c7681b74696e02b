import { relative, resolve } from 'node:path'
import { remark } from '../trial/index.ts'
import type { Checked } from './check-report.ts'
import { findingHead } from './proof.ts'

/** Workflow commands: each problem and each finding beside its line, named as the repository does. */
export function checkRemarks(all: readonly Checked[], top: string): string {
  const lines = all.flatMap(({ project, proof }) => {
    const { root, policy } = project
    const isOld = policy.layers.some(({ state }) => state === 'last-good')
    const problems = policy.problems.map(({ file, line, column, message, help }) =>
      remark(
        { file: relative(top, file), line, col: column, title: 'signalbox' },
        [message, help].filter(Boolean).join('; '),
      ),
    )
    // of a version that is no longer in its file no line is where the proof would say
    const findings = (isOld ? [] : [...proof.findings, ...proof.doubts]).map(finding => {
      const [first] = finding.fix
      const [, file = '', line] = /^(.+?)(?::(\d+))?$/.exec(first?.at ?? '') ?? []
      const isHere = file !== '' && !file.startsWith('~')
      const place = isHere ? { file: relative(top, resolve(root, file)), ...(line !== undefined && { line }) } : {}
      const fix = first ? `${finding.untried ? 'Try' : 'Fix'}: ${first.advice}` : ''
      return remark(
        { ...place, title: 'signalbox' },
        [findingHead(finding), finding.why, fix].filter(Boolean).join('\n'),
      )
    })
    return [...problems, ...findings]
  })
  // what is said of a folder above is not said again
  return [...new Set(lines)].map(line => `${line}\n`).join('')
}
