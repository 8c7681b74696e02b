import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ground, onGround } from './fixture.ts'

/** A file where the folder of the state should be: nothing can be stored, as on a full disk. */
function takeStoreAway(ground: Ground): void {
  const state = join(ground.home, 'state')
  rmSync(state, { recursive: true, force: true })
  writeFileSync(state, '')
}

const PROJECT = {
  'signalbox.yaml': `gates:
  tests:
    initial: closed
    rules: [{ while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Test first. }]
  fixed: { rules: [{ when: { event: tool.before, command: make clean }, then: deny, message: Keep it. }] }
  waits: { rules: [{ when: { event: tool.before, command: git tag }, unless: { gate: { tests: open } }, then: deny, message: No. }] }
`,
}

describe('where the state cannot be had', () => {
  it('gates that remember nothing refuse what they refuse, and nothing else is refused', () =>
    onGround(PROJECT, async ground => {
      takeStoreAway(ground)
      for (const command of ['rm -rf .claude', 'git push', 'make clean', 'ls && git push'])
        expect(await ground.refuses('claude-code', command), command).toBe(true)
      // what state would have decided is let pass, as the policy declares
      for (const command of ['git commit -m x', 'git tag v1', 'ls', 'npm test', 'rm notes.txt'])
        expect(await ground.refuses('claude-code', command), command).toBe(false)
    }))

  it.each(['codex-cli', 'copilot-cli', 'cursor', 'gemini-cli', 'generic', 'opencode', 'qwen-code'])(
    '%s is refused, too',
    client =>
      onGround({}, async ground => {
        takeStoreAway(ground)
        expect(await ground.refuses(client, 'rm -rf .claude')).toBe(true)
        expect(await ground.refuses(client, 'git push')).toBe(true)
        expect(await ground.refuses(client, 'ls')).toBe(false)
      }),
  )

  it('says that not all was judged', () =>
    onGround({}, async ground => {
      takeStoreAway(ground)
      const { stdout } = await ground.ask('claude-code', 'git push')
      expect(stdout).toContain('Do not push.')
      expect(stdout).toContain('only rules that need no stored state were evaluated')
    }))

  it('and with `onError: closed` everything is refused', () =>
    onGround(
      {},
      async ground => {
        takeStoreAway(ground)
        expect(await ground.refuses('claude-code', 'ls')).toBe(true)
      },
      'settings: { onError: closed }\n',
    ))
})

describe('where the policy cannot be had', () => {
  it('that of the person and the built-in one are judged', () =>
    onGround({}, async ground => {
      ground.missing = 'policy'
      expect(await ground.refuses('claude-code', 'rm -rf .claude')).toBe(true)
      expect(await ground.refuses('claude-code', 'git push')).toBe(true)
      // what they do not refuse is for the last resort, which knows what the policy declares for failures
      await expect(ground.refuses('claude-code', 'ls')).rejects.toThrow('no policy')
    }))

  it('nor any other, calls are refused', () =>
    onGround({}, async ground => {
      ground.missing = 'any policy'
      expect(await ground.refuses('claude-code', 'ls')).toBe(true)
    }))
})
