import { describe, expect, it } from 'vitest'
import { resolveRunLine } from '../../src/policy/compile/values/run-line.ts'

const FILES = ['check.sh', 'scripts/x.mjs', 'scripts/y.sh', 'README.md', 'test']
const line = (text: string, folder = '/p') =>
  resolveRunLine(text, folder, { read: file => (FILES.some(name => file === `${folder}/${name}`) ? '' : null) })

/** What lies beside the policy is meant from there; the rest is left as it is. */
describe('the line of a hook', () => {
  it.each([
    ['./check.sh', '/p/check.sh'],
    ['./check.sh --fast', '/p/check.sh --fast'],
    ['node scripts/x.mjs', 'node /p/scripts/x.mjs'],
    ['node ./scripts/x.mjs && sh scripts/y.sh', 'node /p/scripts/x.mjs && sh /p/scripts/y.sh'],
    ['(./check.sh; true)', '(/p/check.sh; true)'],
    ['cat x|scripts/y.sh', 'cat x|/p/scripts/y.sh'],
    ['wc README.md', 'wc /p/README.md'],
  ])('%s', (text, expected) => expect(line(text)).toBe(expected))

  it.each([
    'npm test',
    './no-such-file.sh',
    '/usr/bin/check.sh',
    'node --import=./scripts/x.mjs y',
    "sh -c 'scripts/y.sh'",
    '"$CLAUDE_PROJECT_DIR"/scripts/y.sh',
    'node ../scripts/x.mjs',
  ])('%s stays', text => expect(line(text)).toBe(text))

  it('a folder with a blank in its name is quoted, where the line has no quotes', () => {
    expect(line('./check.sh', '/my p')).toBe("'/my p/check.sh'")
    expect(line('./check.sh "a"', '/my p')).toBe('./check.sh "a"')
  })
})
