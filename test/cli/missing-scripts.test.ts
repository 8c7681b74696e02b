import { describe, expect, it } from 'vitest'
import { missingScriptWarnings } from '../../src/app/cli/commands/check/missing-scripts.ts'
import { House } from '../policy/policy-sandbox.ts'
import { withStage } from '../support/in-process-command.ts'

const PUSH = 'require: { before: git push, passed: [npm test, npm run lint] }\n'
const HAS_TEST = '{ "scripts": { "test": "vitest", "lnt": "biome check" } }'

function warningsOf(policy: string, scripts?: string): readonly string[] {
  const house = new House()
  if (scripts !== undefined) house.write('package.json', scripts)
  expect(house.problems(policy)).toEqual([])
  return missingScriptWarnings(house.load().program, house.root).map(
    ({ file, line, message, help }) => `${house.label(file)}:${line} ${message}; ${help}`,
  )
}

describe('a gate that waits for a script', () => {
  it('is warned of if package.json has no such script', () => {
    expect(warningsOf(PUSH, HAS_TEST)).toEqual([
      'signalbox.yaml:1 the gate waits for `npm run lint`, and package.json has no script `lint`; did you mean `lnt`?',
    ])
  })

  it('is warned of in `limit` and in a gate, once', () => {
    const gate = `gates: { g: { initial: closed, transitions: [{ from: closed, to: open, when: { event: tool.after, command: pnpm t, succeeded: true } }], rules: [{ while: closed, when: { command: x }, then: deny, message: m }] } }`
    expect(warningsOf(`limit: { edits: 3, until: yarn run verify }\n${gate}\n`, '{}')).toEqual([
      expect.stringMatching(/^signalbox\.yaml:2 .* no script `test`/),
      expect.stringMatching(/^signalbox\.yaml:1 .* no script `verify`; add the script/),
    ])
  })

  it.each([
    ['the script is there', PUSH, '{ "scripts": { "test": "vitest", "lint": "biome" } }'],
    ['there is no package.json', PUSH, undefined],
    ['it cannot be read', PUSH, '{'],
    ['another package is meant', 'require: { before: git push, passed: npm --prefix=web run build }\n', HAS_TEST],
    ['it is no script', 'require: { before: git push, passed: [make lint, npm audit] }\n', HAS_TEST],
  ])('is fine where %s', (_, policy, scripts) => {
    expect(warningsOf(policy, scripts)).toEqual([])
  })

  it('is told by check', async () => {
    await withStage(async stage => {
      stage.put('signalbox.yaml', PUSH)
      stage.put('package.json', HAS_TEST)
      await stage.run(['check'])
      expect(stage.said.replace(/\s+/g, ' ')).toContain('package.json has no script `lint`')
    })
  })
})
