import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BIN } from '../support/sandbox.ts'
import { type Patient, withPatient } from './doctor-sandbox.ts'

const AGENTS = ['claude-code', 'codex-cli', 'copilot-cli', 'cursor', 'gemini-cli', 'opencode', 'qwen-code']

/** A program in the place of Signalbox. */
function instead(patient: Patient, script: string): string {
  const file = patient.put('~/bin/signalbox', `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return `${file} hook`
}

/** What Claude Code does in one turn: it asks the model, calls the hook, and tells the model what the hook said. */
const AGENT = `
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
const [tells, , prompt] = process.argv.slice(2)
const ask = async messages => {
  const body = JSON.stringify({ model: 'claude', messages, tools: [{ name: 'Bash' }] })
  return (await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body })).json()
}
const asked = { role: 'user', content: prompt }
const { content } = await ask([asked])
const [{ id, name, input }] = content
const { hooks } = JSON.parse(readFileSync(process.env.HOME + '/.claude/settings.json', 'utf8'))
const payload = {
  ...{ session_id: 'one', cwd: process.cwd(), hook_event_name: 'PreToolUse' },
  ...{ tool_name: name, tool_input: input, tool_use_id: id },
}
const { stdout } = spawnSync(hooks.PreToolUse[0].hooks[0].command, { shell: true, input: JSON.stringify(payload) })
const reason = JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason
const told = { type: 'tool_result', tool_use_id: id, content: tells === 'reason' ? reason : input.command }
await ask([asked, { role: 'assistant', content }, { role: 'user', content: [told] }])
`

describe('doctor --live', () => {
  it.each(AGENTS)('%s: the registered command refuses the canary, and nothing is remembered of it', client =>
    withPatient({}, async patient => {
      patient.register(client)
      const { live = [] } = await patient.doctor(['--live'])
      expect(live[0]).toMatchObject({ kind: 'command', client, verdict: 'denied' })
      expect(existsSync(join(patient.home, 'state/signalbox.db'))).toBe(false)
      expect(readdirSync(patient.project)).toEqual(['.git'])
    }),
  )

  it.each([
    ['user', 'claude-code'],
    ['project', 'claude-code'],
    ['project', 'codex-cli'],
    ['project', 'gemini-cli'],
    ['project', 'opencode'],
  ])('as init writes it, scope %s: %s', (scope, client) =>
    withPatient({}, async patient => {
      const env = { PATH: patient.path }
      const init = await patient.run(['init', '--yes', '--client', client, '--scope', scope], { env })
      expect(init.stdout).toContain('Undo')
      // a project's launcher looks for a copy of the person's own
      if (scope === 'project') await patient.run(['init', '--yes', '--client', client], { env })
      const { live = [] } = await patient.doctor(['--live'])
      expect(live.filter(({ kind }) => kind === 'command').map(({ verdict }) => verdict)).not.toContain('not-denied')
      expect(live.length).toBeGreaterThan(0)
    }),
  )

  it.each([
    ['says nothing', 'cat >/dev/null', 'LIVE-NOT-DENIED', 'the test call was not denied'],
    ['complains', 'cat >/dev/null; echo oh no >&2; exit 1', 'LIVE-NO-ANSWER', 'oh no'],
    ['refuses everything', 'cat >/dev/null; echo no >&2; exit 2', 'LIVE-NO-ANSWER', 'no'],
    ['says what the agent does not read', `cat >/dev/null; echo '{"decision":"deny"}'`, 'LIVE-NO-ANSWER', 'decision'],
    ['never answers', 'exec sleep 60', 'LIVE-LATE', 'no reply to the test call within'],
  ])('a hook that %s is a finding', (_, script, id, found) =>
    withPatient({}, async patient => {
      patient.register('claude-code', 'user', instead(patient, script), 2000)
      const temporary = join(patient.folder, 'temporary')
      mkdirSync(temporary)
      const { problems } = await patient.doctor(['--live'], { TMPDIR: temporary })
      expect(problems).toMatchObject([
        { id, client: 'claude-code', line: 28, fix: 'signalbox init --client claude-code' },
      ])
      expect(problems[0]?.found).toContain(found)
      expect(readdirSync(temporary)).toEqual([])
    }),
  )

  it('a cause that is known is told once', () =>
    withPatient({}, async patient => {
      patient.register('claude-code', 'user', '/opt/gone/signalbox hook')
      const { problems } = await patient.doctor(['--live'])
      expect(problems.map(({ id }) => id)).toEqual(['HOOK-PATH-GONE'])
    }))

  it('paths with blanks, quotes and umlauts', () =>
    withPatient({}, async patient => {
      const file = patient.put("~/grün & it's/signalbox", `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
      chmodSync(file, 0o755)
      patient.register('claude-code', 'user', `'${file.replaceAll("'", `'\\''`)}' hook`)
      const { problems, live } = await patient.doctor(['--live'])
      expect({ problems, live }).toMatchObject({ problems: [], live: [{ verdict: 'denied' }] })
    }))

  it('without --yes and without a person no agent is run', () =>
    withPatient({}, async patient => {
      patient.program('claude', `[ "$1" = --version ] && echo 2.1.325 || touch '${patient.home}/was-run'`)
      patient.register('claude-code')
      const { stdout } = await patient.run(['doctor', '--live'], { env: { PATH: patient.path } })
      expect(stdout).toContain('live the agents themselves were not run; to run them, add --yes\n')
      expect(existsSync(join(patient.home, 'was-run'))).toBe(false)
    }))

  it('an agent that ends without a call proves nothing', () =>
    withPatient({}, async patient => {
      patient.program('claude', '[ "$1" = --version ] && echo 2.1.325 || echo "not logged in"')
      patient.register('claude-code')
      const { live, ok } = await patient.doctor(['--live', '--yes'])
      expect({ ok, live }).toMatchObject({
        ok: true,
        live: [
          { kind: 'command', verdict: 'denied' },
          { kind: 'agent', verdict: 'unverified', reason: 'it never called the model (exit code 0): not logged in' },
        ],
      })
    }))

  it.each([
    ['tells the model what the hook said', 'reason', 'denied'],
    ['repeats the command and not the reason', 'command', 'unverified'],
  ])('an agent that %s: %s, %s', (_, tells, verdict) =>
    withPatient({}, async patient => {
      const script = patient.put('~/agent.mjs', AGENT)
      const start = `exec '${process.execPath}' '${script}' ${tells} "$@"`
      patient.program('claude', `[ "$1" = --version ] && echo 2.1.325 || ${start}`)
      patient.register('claude-code')
      const { live } = await patient.doctor(['--live', '--yes'])
      expect(live?.at(-1), JSON.stringify(live)).toMatchObject({ kind: 'agent', verdict })
    }),
  )

  it('an agent gets the text as it is: what it does not take there, it does not take here', () =>
    withPatient({}, async patient => {
      const seen = join(patient.home, 'seen.json')
      patient.program(
        'claude',
        `[ "$1" = --version ] && echo 2.1.325 && exit; cat "$HOME/.claude/settings.json" >'${seen}'`,
      )
      const text = readFileSync(patient.register('claude-code'), 'utf8')
      const wrong = '"permissions": { "allow": "Bash" }, "model": "opus", "env": { "TOKEN": "secret" },'
      const own =
        '"Stop": [{ "hooks": [{ "type": "prompt" }, { "type": "command", "command": "./own.sh", "timeout": "x" }] }],'
      patient.put(
        '~/.claude/settings.json',
        text
          .replace('{', `{ // mine\n  ${wrong}`)
          .replace('"hooks": {', `"hooks": {\n    ${own}`)
          .replace('"Stop": [\n', '"Stop2": [\n'),
      )
      await patient.doctor(['--live', '--yes'])
      const staged = readFileSync(seen, 'utf8')
      expect(staged).toContain('"permissions": { "allow": "Bash" }')
      expect(staged).toContain('{ "type": "prompt" }, { "type": "command", "command": "true", "timeout": "x" }')
      expect(staged).toContain('// mine')
      expect(staged).not.toMatch(/secret|own\.sh|opus/)
    }))

  it('an agent gets its hooks, and none of the keys and hooks beside them', () =>
    withPatient({}, async patient => {
      const seen = join(patient.home, 'seen.json')
      patient.program(
        'claude',
        `[ "$1" = --version ] && echo 2.1.325 && exit; cat "$HOME/.claude/settings.json" >'${seen}'; env >>'${seen}'`,
      )
      const file = patient.register('claude-code')
      const said = JSON.parse(readFileSync(file, 'utf8'))
      said.hooks.PreToolUse.unshift({ hooks: [{ type: 'command', command: './own.sh' }] })
      patient.put(
        '~/.claude/settings.json',
        JSON.stringify({ ...said, apiKeyHelper: 'get-key', env: { TOKEN: 'secret' } }),
      )
      await patient.doctor(['--live', '--yes'], { ANTHROPIC_AUTH_TOKEN: 'secret' })
      const text = readFileSync(seen, 'utf8')
      expect(text).toContain('hook --client claude-code')
      expect(text).not.toMatch(/own\.sh|apiKeyHelper|secret/)
      expect(readFileSync(file, 'utf8')).toContain('apiKeyHelper')
    }))

  it.each([
    ['claude-code', '.claude/plugins/cache/market/signalbox/0.1.0'],
    ['gemini-cli', '.gemini/extensions/signalbox'],
  ])('%s: a hook that comes with a plugin is found, and refuses', (client, folder) =>
    withPatient({}, async patient => {
      cpSync(resolve(import.meta.dirname, '../../plugins', client), join(patient.home, folder), { recursive: true })
      patient.program('signalbox', `exec '${process.execPath}' '${BIN}' "$@"`)
      const { problems, live } = await patient.doctor(['--live'])
      expect({ problems, live }).toMatchObject({ problems: [], live: [{ client, verdict: 'denied' }] })
    }),
  )

  it('for an agent that cannot be run it says so', () =>
    withPatient({}, async patient => {
      patient.register('cursor')
      const { stdout } = await patient.run(['doctor', '--live', '--yes'], { env: { PATH: patient.path } })
      expect(stdout).toMatch(/^live Cursor itself {2}UNVERIFIED: it accepts no test model/m)
    }))
})
