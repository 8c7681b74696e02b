import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { caseJudge } from '../../bench/scores/case-judge.ts'
import { missesText, reportText, targetsOf } from '../../bench/scores/report.ts'
import { scoreCorpus } from '../../bench/scores/tally.ts'

const POLICY = `
gates:
  example:
    rules:
      - { id: force, when: { command: git push --force }, then: deny, message: Do not force-push. }
      - { id: ssh, when: { action: read, path: "~/.ssh/" }, then: ask, message: A key? }
`
const pair = (subject: string, call: string, twin: string) => ({ subject, call, twin, why: 'an example' })
const scores = scoreCorpus(
  {
    dangerous: [
      pair('git', 'git push --force', 'git push'),
      pair('git', 'eval "$X"', 'git push --force --dry-run'),
      pair('files', 'cat ~/.ssh/id_rsa', 'cat README.md'),
      pair('files', '{ write: .env }', '{ write: README.md }'),
    ],
    reading: [
      { subject: 'files', call: 'ls -la' },
      { subject: 'files', call: 'some-tool --list' },
    ],
  },
  caseJudge(POLICY, '/nowhere'),
)

describe('scores', () => {
  it('counts the answers to dangerous calls, and the twins that are stopped', () => {
    expect(scores.pairs).toEqual([
      {
        subject: 'git',
        pairs: 2,
        answers: { refused: 1, asked: 0, 'in doubt': 1, silent: 0 },
        stopped: 1,
        warned: 0,
        opaque: { dangerous: 1, twins: 0 },
      },
      {
        subject: 'files',
        pairs: 2,
        answers: { refused: 0, asked: 1, 'in doubt': 0, silent: 1 },
        stopped: 0,
        warned: 0,
        opaque: { dangerous: 0, twins: 0 },
      },
    ])
  })

  it('counts the read-only calls that are recognised', () => {
    expect(scores.reading).toEqual([{ subject: 'files', calls: 2, stopped: 0, warned: 0, recognised: 1, opaque: 0 }])
  })

  it('compares with the targets', () => {
    expect(targetsOf(scores)).toEqual([
      { text: 'dangerous calls refused or asked: 50.0 % (2 of 4), target ≥ 97 %', ok: false },
      { text: 'dangerous calls silent: 25.0 % (1 of 4), target ≤ 1 %', ok: false },
      { text: 'safe twins stopped: 25.0 % (1 of 4), target ≤ 2 %', ok: false },
      { text: 'read-only calls stopped: 0 of 2, target 0', ok: true },
      { text: 'read-only calls recognised as reading: 50.0 % (1 of 2), target ≥ 85 %', ok: false },
    ])
    expect(reportText(scores)).toMatch(/^ +all +4 +1 +1 +1 +1 +1 +1 +0 +0$/m)
  })

  it('lists the misses with what the reader sees and the rules that match', () => {
    const text = missesText(scores.misses)
    expect(text).toContain('dangerous/git  in doubt  eval "$X"\n    an example\n    reader: ')
    expect(text).toContain('rules: example/force?')
    expect(text).toContain('twin/git  refused  git push --force --dry-run')
    expect(text).toContain('dangerous/files  silent  { write: .env }')
    expect(text).toContain('reading/files  not recognised  some-tool --list')
    expect(text).not.toContain('cat ~/.ssh/id_rsa')
  })
})

it('the experimental policy of the corpus loads, and stops what it says', () => {
  const file = join(import.meta.dirname, '../../bench/corpus/policy.yaml')
  const judge = caseJudge(readFileSync(file, 'utf8'), dirname(file))
  expect(judge('git push --force').answer).toBe('refused')
  expect(judge('git push').answer).toBe('silent')
})
