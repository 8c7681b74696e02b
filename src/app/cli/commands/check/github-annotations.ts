import { relative, resolve } from 'node:path'
import { githubAnnotation } from '../../../../analysis/policy-test/index.ts'
import type { PolicyError } from '../../../../policy/index.ts'
import type { CheckResult } from './check-report.ts'
import { findingHeadline, verificationLine } from './verification.ts'

/** GitHub workflow commands: each problem and finding at its line, with paths as in the repository. */
export function githubAnnotations(all: readonly CheckResult[], top: string): string {
  const lines = all.flatMap(({ project, proof, isProven }) => {
    const { root, policy } = project
    const isOld = policy.layers.some(({ state }) => state === 'last-good')
    const beside =
      (level: 'error' | 'warning') =>
      ({ file, line, column, message, help }: PolicyError): string =>
        githubAnnotation(
          { file: relative(top, file), line, col: column, title: 'signalbox' },
          [message, help].filter(Boolean).join('; '),
          level,
        )
    // the verified version is no longer in its file, so its line numbers are not used
    const placeOf = (at: string) => {
      const [, file = '', line] = /^(.+?)(?::(\d+))?$/.exec(at) ?? []
      const isHere = file !== '' && !file.startsWith('~') && !isOld
      return isHere ? { file: relative(top, resolve(root, file)), ...(line !== undefined && { line }) } : {}
    }
    const findings = (isOld ? [] : [...proof.findings, ...proof.inconclusive]).map(finding => {
      const [first] = finding.fix
      const fix = first ? `${finding.fixUnverified ? 'Try' : 'Fix'}: ${first.advice}` : ''
      return githubAnnotation(
        { ...placeOf(first?.at ?? ''), title: 'signalbox' },
        [findingHeadline(finding), finding.why, fix].filter(Boolean).join('\n'),
      )
    })
    // an incomplete proof fails the workflow too, with another exit code
    const open = proof.complete || proof.findings.length > 0 ? [] : [verificationLine(proof, false).trim()]
    const word = proof.findings.length > 0 ? 'NOT CHECKED' : 'NOT PROVEN'
    const unproven = [...open, ...proof.unchecked].map(why =>
      githubAnnotation(
        { ...placeOf(/\((\S+:\d+)\)/.exec(why)?.[1] ?? ''), title: 'signalbox' },
        `${isProven ? 'NOT CHECKED' : word}  ${why}`,
        isProven ? 'warning' : 'error',
      ),
    )
    return [
      ...policy.problems.map(beside('error')),
      ...findings,
      ...unproven,
      ...policy.warnings.map(warning => beside(warning.noEffect ? 'error' : 'warning')(warning)),
    ]
  })
  // findings of a parent folder are not repeated
  return [...new Set(lines)].map(line => `${line}\n`).join('')
}
