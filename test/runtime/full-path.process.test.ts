import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  tests:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }]
    rules:
      - { while: closed, when: { event: tool.before, command: git commit }, then: deny, message: "Run \`{suggest}\` first.", suggest: npm test }
`
const commit = (client: string) => ({
  ...{ session_id: 's', cwd: '/home/dev/proj', hook_event_name: 'PreToolUse', tool_name: 'Bash' },
  ...{ tool_input: { command: 'git commit -m x' }, ...(client === 'codex-cli' && { turn_id: 't', model: 'm' }) },
})

/** What the agent is told to run; `installed`: by `init`, `word`: on the PATH. */
const advice = (client: string, { installed = true, word = false, folder = 'home' } = {}) =>
  withSandbox({ user: POLICY }, async sandbox => {
    const home = join(sandbox.folder, folder)
    const bin = join(home, 'data/bin')
    mkdirSync(join(sandbox.folder, 'word'))
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(home, 'signalbox.yaml'), POLICY)
    for (const file of [
      ...(installed ? [join(bin, 'signalbox')] : []),
      ...(word ? [join(sandbox.folder, 'word/signalbox')] : []),
    ]) {
      writeFileSync(file, '#!/bin/sh\n')
      chmodSync(file, 0o755)
    }
    const env = { SIGNALBOX_DAEMON: 'off', SIGNALBOX_HOME: home, PATH: `/nowhere:${join(sandbox.folder, 'word')}` }
    const { stdout } = await sandbox.hook(client, JSON.stringify(commit(client)), { env })
    const said: string = JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason
    return said.replaceAll(sandbox.home, '/home/dev').replaceAll(sandbox.folder, '')
  })

describe('the command that an agent is sent to', () => {
  it('has the full path on a client whose shell may not know the word', async () => {
    // Codex ends the reason with a full stop of its own
    expect(await advice('codex-cli')).toBe('Run `/home/dev/data/bin/signalbox run -- npm test` first')
    expect(await advice('codex-cli', { word: true })).toBe('Run `/home/dev/data/bin/signalbox run -- npm test` first')
    expect(await advice('codex-cli', { folder: 'my home' })).toBe(
      "Run `'/my home/data/bin/signalbox' run -- npm test` first",
    )
  })

  it.each([
    ['codex-cli', 'master-orchestrator', 'orchestrate', 'orchestrate "<task>"'],
    ['codex-cli', 'router-first', 'route', 'route --record "<task>"'],
  ])('passes on %s with %s when it is typed as it was said: %s', (client, pack, _, line) =>
    withSandbox({ user: `use: [${pack}]` }, async sandbox => {
      const launcher = join(sandbox.home, 'data/bin/signalbox')
      mkdirSync(join(sandbox.home, 'data/bin'), { recursive: true })
      writeFileSync(launcher, '#!/bin/sh\n')
      chmodSync(launcher, 0o755)
      const said = async (command: string) => {
        const payload = { ...commit(client), cwd: sandbox.project, tool_input: { command } }
        return (await sandbox.hook(client, JSON.stringify(payload), { env: { SIGNALBOX_DAEMON: 'off' } })).stdout
      }
      expect(await said('touch a')).toContain('deny')
      expect(await said(`${launcher} ${line}`)).toBe('')
      // a program of that name elsewhere may be anything
      expect(await said(`${sandbox.home}/elsewhere/signalbox ${line}`)).toContain('deny')
      expect(await said(`${launcher} ${line}; touch a`)).toContain('deny')
    }),
  )

  it('has the full path in what the person is told too', () =>
    withSandbox(
      { project: 'gates: { g: { rules: [{ when: { command: git push }, then: deny, message: No. }] } }' },
      async sandbox => {
        const launcher = join(sandbox.home, 'data/bin/signalbox')
        mkdirSync(join(sandbox.home, 'data/bin'), { recursive: true })
        writeFileSync(launcher, '#!/bin/sh\n')
        chmodSync(launcher, 0o755)
        const push = { ...commit('claude-code'), cwd: sandbox.project, tool_input: { command: 'git push' } }
        const env = { SIGNALBOX_DAEMON: 'off', PATH: '/nowhere' }
        let told = ''
        for (let nth = 0; nth < 5; nth++)
          told = (await sandbox.hook('claude-code', JSON.stringify({ ...push, tool_use_id: `t${nth}` }), { env }))
            .stdout
        expect(JSON.parse(told).systemMessage).toBe(
          `signalbox: main is stuck at the gate "g": 5 denials in two minutes. \`/home/dev/data/bin/signalbox bypass --gate g --for 10m --reason "…"\` switches it off.`,
        )
      },
    ))

  it('is the word where there is nothing better', async () => {
    expect(await advice('codex-cli', { installed: false })).toBe('Run `signalbox run -- npm test` first')
    expect(await advice('claude-code')).toBe('Run `npm test` first.')
  })
})
