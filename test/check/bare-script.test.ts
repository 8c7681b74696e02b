import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { played } from './played.ts'
import { found, proofs } from './policies.ts'

const opensBy = (command: string): string => `gates:
  g:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: ${command}, succeeded: true } }]
    rules: [{ id: r, while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Not yet. }]
`

describe('a script that is named without its folder', () => {
  it.each(['check.sh', 'verify.py', 'check.sh --all', '[check.sh, check.py]'])(
    '%s: it is not certain',
    async command => {
      const shells = ['./check.sh', 'bash check.sh', './scripts/check.sh', 'python verify.py', './check.sh --all']
      const said = await played(
        opensBy(command),
        [...shells, 'deploy'].map(shell => ({ shell })),
      )
      expect(said.at(-1)).toBe('deny')
      const { findings, inconclusive } = proofs(opensBy(command))
      expect(findings).toEqual([])
      expect(inconclusive.map(one => one.what).join()).toContain('is a script without its folder')
      expect(inconclusive[0]?.fix[0]?.advice).toContain('command: ./')
    },
  )

  it.each(['./check.sh', 'bash check.sh', '[check.sh, npm test]', 'scripts/check.sh', 'pytest'])(
    '%s is proven',
    command => {
      expect(found(proofs(opensBy(command)))).toEqual({ findings: [], inconclusive: [] })
      expect(isProven(proofs(opensBy(command)))).toBe(true)
    },
  )
})
