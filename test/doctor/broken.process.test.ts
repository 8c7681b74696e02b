import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderLauncher } from '../../src/app/install/program/launcher-script.ts'
import { trustDigestOf } from '../../src/clients/codex-cli/diagnostics.ts'
import { localTime } from '../../src/lib/local-time.ts'
import { writeToSpool } from '../../src/store/index.ts'
import { HOOK, isBuilt } from '../support/native/hook.ts'
import { BIN } from '../support/sandbox.ts'
import { type Patient, type Told, withPatient } from './doctor-sandbox.ts'

interface Case {
  readonly name: string
  /** makes it so; where it says a file and a line, that is the place */
  readonly make: (patient: Patient) => void
  readonly env?: (patient: Patient) => Readonly<Record<string, string>>
  readonly policy?: string
  readonly finds: Partial<Told>
}

const ROOT = join(BIN, '../..')
const CLAUDE = '~/.claude/settings.json'
/** the time is told as everywhere else, whatever the country */
const FAR = Date.now() + 3_600_000
const json = (value: unknown): string => JSON.stringify(value, null, 2)
const edit = (patient: Patient, file: string, change: (text: string) => string): void => {
  const path = patient.put(`${file}.tmp`, '').slice(0, -4)
  rmSync(`${path}.tmp`)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}
/** The hook as most agents have it. */
const hook = (patient: Patient, client: string, more: object = {}) => ({
  type: 'command',
  command: `${patient.command} --client ${client}`,
  timeout: 10,
  ...more,
})
const claude = (patient: Patient, hooks: object, more: object = {}) => patient.put(CLAUDE, json({ ...more, hooks }))

/** What opens it is what it refuses. */
const STUCK = `gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: untested, while: closed, when: { event: tool.before, action: run }, then: deny, message: Test first. }
`
const IDLE = `gates:
  idle:
    rules:
      - { id: none, when: { event: tool.before, action: run, all: [{ action: write }] }, then: deny, message: No. }
`

const SHAPES: readonly Case[] = [
  {
    name: 'a file that is no JSON',
    make: patient => {
      patient.put(CLAUDE, '{\n  "hooks": {\n}')
      patient.program('claude')
    },
    finds: { id: 'SETTINGS-MALFORMED', file: '~/.claude/settings.json', line: 3, client: 'claude-code' },
  },
  {
    name: 'an event that is spelt wrong',
    make: patient => claude(patient, { PreToolUze: [{ hooks: [hook(patient, 'claude-code')] }] }),
    finds: {
      id: 'HOOK-EVENT-UNKNOWN',
      line: 3,
      found: 'there is no event `PreToolUze`: did you mean `PreToolUse`?',
      fix: 'remove it; then signalbox init --client claude-code',
    },
  },
  {
    name: 'an event beside `hooks`',
    make: patient => patient.put(CLAUDE, json({ PreToolUse: [{ hooks: [hook(patient, 'claude-code')] }] })),
    finds: { id: 'HOOK-SHAPE', line: 2, found: '`PreToolUse` is next to `hooks`; it must be inside' },
  },
  {
    name: 'a command beside the `hooks` of its group',
    make: patient => claude(patient, { PreToolUse: [hook(patient, 'claude-code')] }),
    finds: {
      id: 'HOOK-SHAPE',
      line: 4,
      found: 'a command is next to `hooks`; it must be inside (`PreToolUse`)',
      effect: 'Claude Code ignores the whole file because of one such entry: no hook in it runs',
    },
  },
  {
    name: 'a hook without a type',
    make: patient => claude(patient, { PreToolUse: [{ hooks: [{ command: 'signalbox hook' }] }] }),
    finds: { id: 'HOOK-SHAPE', line: 6, found: 'a hook of `PreToolUse` has no `type`' },
  },
  {
    name: 'a hook of a type that the agent does not have',
    make: patient =>
      patient.put(
        '~/.gemini/settings.json',
        json({ hooks: { BeforeTool: [{ hooks: [{ type: 'http', url: 'signalbox' }] }] } }),
      ),
    finds: { id: 'HOOK-SHAPE', client: 'gemini-cli', found: 'a hook of `BeforeTool` has type `http`; types: command' },
  },
  {
    name: 'a timeout that is no number',
    make: patient => claude(patient, { PreToolUse: [{ hooks: [hook(patient, 'claude-code', { timeout: '10s' })] }] }),
    finds: { id: 'HOOK-SHAPE', found: '`timeout` of `PreToolUse` is not a number above 0' },
  },
  {
    name: 'a list where the agent wants events',
    make: patient => patient.put(CLAUDE, json({ hooks: [hook(patient, 'claude-code')] })),
    finds: { id: 'HOOK-SHAPE', found: '`hooks` is not an object with events' },
  },
  {
    name: 'groups where the agent has none',
    make: patient =>
      patient.put(
        '~/.cursor/hooks.json',
        json({ version: 1, hooks: { preToolUse: [{ hooks: [hook(patient, 'cursor')] }] } }),
      ),
    finds: {
      id: 'HOOK-SHAPE',
      client: 'cursor',
      found: 'an entry of `preToolUse` contains `hooks`; its keys belong one level up',
    },
  },
  {
    name: 'a file without its version',
    make: patient => {
      patient.register('cursor')
      edit(patient, '~/.cursor/hooks.json', text => text.replace('"version": 1,', ''))
    },
    finds: { id: 'HOOK-SHAPE', client: 'cursor', found: '`"version": 1` is missing' },
  },
]

const REGISTERED: readonly Case[] = [
  {
    name: 'an agent that nobody told',
    make: patient => patient.program('claude'),
    finds: {
      id: 'HOOK-MISSING',
      effect: 'every Claude Code call passes unchecked',
      fix: 'signalbox init --client claude-code',
    },
  },
  {
    name: 'a hook for other events only',
    make: patient => claude(patient, { Stop: [{ hooks: [hook(patient, 'claude-code')] }] }),
    finds: { id: 'HOOK-EVENTS', line: 6, found: 'Signalbox is registered, but not for `PreToolUse`' },
  },
  {
    name: 'an event that is left out',
    make: patient => {
      patient.register('gemini-cli')
      edit(patient, '~/.gemini/settings.json', text => json({ hooks: without(JSON.parse(text).hooks, 'AfterAgent') }))
    },
    finds: { id: 'HOOK-EVENTS', found: 'not registered for AfterAgent', fix: 'signalbox init --client gemini-cli' },
  },
  {
    name: 'the same hook twice in a file',
    make: patient => claude(patient, { PreToolUse: [1, 2].map(() => ({ hooks: [hook(patient, 'claude-code')] })) }),
    finds: {
      id: 'HOOK-DUPLICATE',
      severity: 'problem',
      found: 'registers the hook a second time; the first is ~/.claude/settings.json:6',
    },
  },
  {
    name: 'for the person and for the project',
    make: patient => {
      patient.register('claude-code')
      patient.register('claude-code', 'project')
    },
    finds: {
      id: 'HOOK-DUPLICATE',
      severity: 'note',
      file: '.claude/settings.json',
      fix: 'signalbox uninstall --scope project',
    },
  },
  {
    name: "another agent's id",
    make: patient => claude(patient, { PreToolUse: [{ hooks: [hook(patient, 'gemini-cli')] }] }),
    finds: {
      id: 'HOOK-OTHER-CLIENT',
      line: 6,
      effect: 'Claude Code does not understand such replies: a denial has no effect',
      found: 'the command has `--client gemini-cli`, which is Gemini CLI',
    },
  },
  {
    name: "nobody's id",
    make: patient => claude(patient, { PreToolUse: [{ hooks: [hook(patient, 'claude-kode')] }] }),
    finds: {
      id: 'HOOK-OTHER-CLIENT',
      found: '`--client claude-kode` is not a known client; did you mean `claude-code`?',
    },
  },
  {
    name: 'an event that nobody names',
    make: patient =>
      patient.put(
        '~/.copilot/hooks/own.json',
        json({
          version: 1,
          hooks: { preToolUse: [{ type: 'command', bash: `${patient.command} --client copilot-cli` }] },
        }),
      ),
    finds: { id: 'HOOK-EVENT-MISSING', client: 'copilot-cli', found: 'no `--event preToolUse` in the command' },
  },
  ...['> /dev/null', '>/dev/null 2>&1', '| cat', '|| true', '; exit 0', '&'].map(
    (behind): Case => ({
      name: `a command with ${behind} behind it`,
      make: patient =>
        claude(patient, {
          PreToolUse: [{ hooks: [{ type: 'command', command: `${patient.command} --client claude-code ${behind}` }] }],
        }),
      finds: {
        id: 'HOOK-OUTPUT-LOST',
        client: 'claude-code',
        effect: 'Claude Code may not get the reply: a denial may have no effect',
        found: `\`${/^[>|&;]+/.exec(behind)?.[0]}\` after the hook in its command`,
      },
    }),
  ),
]

const without = (events: object, name: string): object =>
  Object.fromEntries(Object.entries(events).filter(([key]) => key !== name))

const OFF: readonly Case[] = [
  {
    name: 'hooks that are switched off',
    make: patient => {
      patient.register('claude-code')
      patient.put('.claude/settings.local.json', '{\n  "disableAllHooks": true\n}')
    },
    finds: { id: 'HOOKS-DISABLED', file: '.claude/settings.local.json', line: 2, client: 'claude-code' },
  },
  {
    name: 'an environment in which no hook runs',
    make: patient => patient.register('claude-code'),
    env: () => ({ CLAUDE_CODE_SIMPLE: '1' }),
    finds: { id: 'HOOKS-DISABLED', fix: 'unset CLAUDE_CODE_SIMPLE' },
  },
  {
    name: 'Gemini: switched off',
    make: patient => {
      patient.register('gemini-cli')
      patient.put('.gemini/settings.json', '{\n  "hooksConfig": { "enabled": false }\n}')
    },
    finds: { id: 'HOOKS-DISABLED', file: '.gemini/settings.json', line: 2, found: '`hooksConfig.enabled` is false' },
  },
  {
    name: 'Gemini: disabled by name, in the project',
    make: patient => {
      patient.register('gemini-cli')
      patient.put('.gemini/settings.json', '{ "hooksConfig": { "disabled": ["signalbox"] } }')
    },
    finds: { id: 'HOOKS-DISABLED', file: '.gemini/settings.json', found: '`hooksConfig.disabled` names `signalbox`' },
  },
  {
    name: 'Gemini: a folder that is not trusted',
    make: patient => {
      patient.register('gemini-cli')
      patient.put('~/.gemini/trustedFolders.json', json({ [patient.project]: 'DO_NOT_TRUST' }))
    },
    finds: {
      id: 'FOLDER-UNTRUSTED',
      severity: 'problem',
      found: 'this folder is not trusted: hooks of every settings file are skipped',
    },
  },
  {
    name: 'Gemini: a folder that nobody was asked about',
    make: patient => patient.register('gemini-cli'),
    finds: { id: 'FOLDER-UNTRUSTED', severity: 'note', effect: 'Gemini CLI calls may pass unchecked' },
  },
  {
    name: 'Qwen: switched off',
    make: patient => {
      patient.register('qwen-code')
      patient.put('.qwen/settings.json', '{ "disableAllHooks": true }')
    },
    finds: { id: 'HOOKS-DISABLED', file: '.qwen/settings.json', line: 1, client: 'qwen-code' },
  },
  {
    name: 'Qwen: hooks of a project that is not trusted',
    make: patient => {
      patient.register('qwen-code', 'project')
      patient.put('~/.qwen/settings.json', '{ "security": { "folderTrust": { "enabled": true } } }')
    },
    finds: { id: 'FOLDER-UNTRUSTED', file: '~/.qwen/settings.json', line: 1, client: 'qwen-code' },
  },
  {
    name: 'Codex: the feature is off',
    make: patient => {
      patient.register('codex-cli')
      patient.put('~/.codex/config.toml', 'model = "x"\n\n[features]\nhooks = false\n')
    },
    finds: { id: 'HOOKS-DISABLED', file: '~/.codex/config.toml', line: 4, fix: 'codex features enable hooks' },
  },
  {
    name: 'Codex: never reviewed',
    make: patient => patient.register('codex-cli'),
    finds: {
      id: 'HOOK-UNREVIEWED',
      found: 'the hook was never reviewed: Codex CLI skips it silently',
      fix: 'start `codex`, run /hooks, and trust the hook',
    },
  },
  {
    name: 'Codex: changed since it was reviewed',
    make: patient => {
      const file = patient.register('codex-cli')
      patient.put(
        '~/.codex/config.toml',
        CODEX_EVENTS.map(name => `[hooks.state."${file}:${name}:0:0"]\ntrusted_hash = "sha256:00"\n`).join('\n'),
      )
    },
    finds: { id: 'HOOK-UNREVIEWED', found: 'the hook was changed after its review: Codex CLI skips it silently' },
  },
  {
    name: 'Codex: hooks of a project that is not trusted',
    make: patient => patient.register('codex-cli', 'project'),
    finds: { id: 'FOLDER-UNTRUSTED', client: 'codex-cli', found: 'this project is not trusted: its hooks are skipped' },
  },
  {
    name: 'Copilot: hooks of a project that is not trusted',
    make: patient => patient.register('copilot-cli', 'project'),
    finds: { id: 'FOLDER-UNTRUSTED', client: 'copilot-cli' },
  },
  {
    name: 'Copilot: switched off',
    make: patient => {
      patient.register('copilot-cli')
      edit(patient, '~/.copilot/hooks/signalbox.json', text => text.replace('{', '{ "disableAllHooks": true,'))
    },
    finds: { id: 'HOOKS-DISABLED', file: '~/.copilot/hooks/signalbox.json', line: 1, client: 'copilot-cli' },
  },
]

const CODEX_EVENTS = [
  ...['session_start', 'user_prompt_submit', 'pre_tool_use', 'permission_request', 'post_tool_use'],
  ...['subagent_start', 'subagent_stop', 'stop', 'pre_compact', 'session_end'],
]

const PATHS: readonly Case[] = [
  {
    name: 'a program that is gone',
    make: patient => patient.register('claude-code', 'user', '/opt/n20/bin/signalbox hook'),
    finds: {
      id: 'HOOK-PATH-GONE',
      line: 6,
      effect: 'every Claude Code call is denied; before 2.1.295 it passes unchecked',
      found: 'runs /opt/n20/bin/signalbox: missing',
      fix: 'signalbox init --client claude-code',
      otherPlaces: 10,
    },
  },
  {
    name: 'a program that is gone, in an entry that does not say what to do then',
    make: patient => {
      patient.register('claude-code', 'user', '/opt/n20/bin/signalbox hook')
      edit(patient, CLAUDE, text => text.replace(/,\s*"onFailure": "block"/, ''))
    },
    finds: { id: 'HOOK-PATH-GONE', effect: 'every Claude Code call passes unchecked' },
  },
  {
    name: 'a program that is gone, and an agent that is too old to refuse for it',
    make: patient => {
      patient.register('claude-code', 'user', '/opt/n20/bin/signalbox hook')
      patient.program('claude', 'echo "2.1.197 (Claude Code)"')
    },
    finds: { id: 'HOOK-PATH-GONE', effect: 'every Claude Code call passes unchecked' },
  },
  {
    name: 'a program that is gone, for Cursor',
    make: patient => patient.register('cursor', 'user', '/opt/n20/bin/signalbox hook'),
    finds: { id: 'HOOK-PATH-GONE', effect: 'every Cursor call is denied' },
  },
  {
    name: 'a program that is gone, for Gemini CLI',
    make: patient => patient.register('gemini-cli', 'user', '/opt/n20/bin/signalbox hook'),
    finds: { id: 'HOOK-PATH-GONE', effect: 'every Gemini CLI call is denied' },
  },
  {
    name: 'a program that is gone, for Copilot CLI',
    make: patient => patient.register('copilot-cli', 'user', '/opt/n20/bin/signalbox hook'),
    finds: { id: 'HOOK-PATH-GONE', effect: 'every Copilot CLI call is denied' },
  },
  {
    name: 'a program that is gone, for Codex CLI',
    make: patient => patient.register('codex-cli', 'user', '/opt/n20/bin/signalbox hook'),
    finds: { id: 'HOOK-PATH-GONE', effect: 'every Codex CLI call passes unchecked' },
  },
  {
    name: 'a script that is gone',
    make: patient => patient.register('claude-code', 'user', 'node "$HOME/gone/signalbox.cjs" hook'),
    finds: { id: 'HOOK-PATH-GONE', found: 'runs ~/gone/signalbox.cjs: missing' },
  },
  {
    name: 'a program that is not on the PATH',
    make: patient => patient.register('qwen-code', 'user', 'signalbox.cjs hook'),
    finds: { id: 'HOOK-PATH-GONE', client: 'qwen-code', found: 'runs signalbox.cjs: not on the PATH' },
  },
  {
    name: 'a plugin whose program is gone',
    make: patient => {
      patient.register('opencode')
      edit(patient, '~/.config/opencode/plugins/signalbox.js', text =>
        text.replaceAll(process.execPath, '/opt/gone/node'),
      )
    },
    finds: {
      id: 'HOOK-PATH-GONE',
      client: 'opencode',
      effect: 'every opencode call is denied',
      line: 4,
      found: 'runs /opt/gone/node: missing',
    },
  },
  {
    name: 'a launcher of the project that was not committed',
    make: patient => patient.register('claude-code', 'project', `sh -c 'exec sh "$PWD/.signalbox/hook" "$@"' -`),
    finds: {
      id: 'HOOK-PATH-GONE',
      file: '.claude/settings.json',
      fix: 'signalbox init --client claude-code --scope project',
    },
  },
  {
    name: 'a program that lost its bit',
    make: patient => {
      const file = patient.put('~/bin/signalbox', '#!/bin/sh\n')
      patient.register('claude-code', 'user', `${file} hook`)
    },
    finds: { id: 'HOOK-NOT-EXECUTABLE', found: 'runs ~/bin/signalbox: not executable' },
  },
  {
    name: 'npx',
    make: patient => patient.register('claude-code', 'user', 'npx signalbox hook'),
    finds: { id: 'HOOK-NPX', client: 'claude-code' },
  },
  {
    name: "npx's cache",
    make: patient => {
      const file = patient.put('~/.npm/_npx/ab12/node_modules/.bin/signalbox', '#!/bin/sh\n')
      chmodSync(file, 0o755)
      patient.register('claude-code', 'user', `${file} hook`)
    },
    finds: { id: 'HOOK-NPX', effect: 'npm can empty that folder; every call then passes unchecked' },
  },
  {
    name: 'the folder of one version of Node',
    make: patient => {
      const file = patient.put('~/.nvm/versions/node/v20.1.0/bin/signalbox', '#!/bin/sh\n')
      chmodSync(file, 0o755)
      patient.register('claude-code', 'user', `${file} hook`)
    },
    finds: { id: 'HOOK-NODE-VERSION', effect: 'after the next Node update every call passes unchecked' },
  },
]

const TIMES: readonly Case[] = [
  {
    name: 'seconds where milliseconds are meant',
    make: patient => patient.register('gemini-cli', 'user', patient.command, 10),
    finds: {
      id: 'TIMEOUT-UNIT',
      found: 'the timeout of 10 is in milliseconds',
      effect: 'the reply can come too late, and the call then passes unchecked',
    },
  },
  {
    name: 'milliseconds where seconds are meant',
    make: patient => claude(patient, { PreToolUse: [{ hooks: [hook(patient, 'claude-code', { timeout: 10_000 })] }] }),
    finds: { id: 'TIMEOUT-UNIT', effect: 'a hook that hangs blocks the agent for 2.8 h' },
  },
  {
    name: 'too short to answer',
    make: patient => patient.register('claude-code', 'user', patient.command, 1000),
    finds: { id: 'TIMEOUT-SHORT', found: 'the timeout is 1 (seconds); this policy needs 2' },
  },
  {
    name: 'more than an hour',
    make: patient => patient.register('qwen-code', 'user', patient.command, 7_200_000),
    finds: { id: 'TIMEOUT-LONG', client: 'qwen-code' },
  },
  {
    name: 'shorter than a hook of the person’s own',
    policy: 'hooks:\n  - { event: tool.before, run: "true", timeoutMs: 30000 }\n',
    make: patient => {
      writeFileSync(
        join(patient.home, 'signalbox.yaml'),
        'hooks:\n  - { event: tool.before, run: "true", timeoutMs: 30000 }\n',
      )
      patient.register('claude-code')
    },
    finds: { id: 'TIMEOUT-SHORT', found: 'the timeout is 10 (seconds); this policy needs 32' },
  },
]

const NAMES: readonly Case[] = [
  {
    name: 'a hook that sees one tool only',
    make: patient => claude(patient, { PreToolUse: [{ matcher: 'Bash', hooks: [hook(patient, 'claude-code')] }] }),
    finds: { id: 'MATCHER-NARROW', found: '`PreToolUse` reaches Signalbox only for `Bash`' },
  },
  {
    name: 'a matcher where there is none',
    make: patient => {
      patient.register('claude-code')
      edit(patient, CLAUDE, text => {
        const said = JSON.parse(text)
        said.hooks.Stop[0].matcher = 'Bash'
        return json(said)
      })
    },
    finds: { id: 'MATCHER-IGNORED', severity: 'note' },
  },
  {
    name: 'a matcher that names a server',
    make: patient => {
      patient.register('claude-code')
      edit(patient, CLAUDE, text => {
        const said = JSON.parse(text)
        said.hooks.PreToolUse.push({ matcher: 'mcp__memory', hooks: [{ type: 'command', command: './own.sh' }] })
        return json(said)
      })
    },
    finds: { id: 'MCP-NAME', found: 'the matcher names `mcp__memory`', fix: 'write `mcp__memory__.*`' },
  },
  {
    name: "a matcher in another agent's words",
    make: patient => {
      patient.register('gemini-cli')
      edit(patient, '~/.gemini/settings.json', text => {
        const said = JSON.parse(text)
        said.hooks.BeforeTool.push({ matcher: 'mcp__git__push', hooks: [{ type: 'command', command: './own.sh' }] })
        return json(said)
      })
    },
    finds: { id: 'MCP-NAME', client: 'gemini-cli', fix: 'write `mcp_git_push`' },
  },
  {
    name: 'a policy that names a server as if it were a tool',
    policy:
      'gates:\n  g:\n    rules:\n      - { when: { event: tool.before, tool: mcp__memory }, then: deny, message: m }\n',
    make: patient => patient.register('claude-code'),
    finds: { id: 'MCP-NAME', file: 'signalbox.yaml', found: 'the policy names `mcp__memory`' },
  },
]

const HOOK_POLICY = 'hooks:\n  - { event: tool.before, run: "true" }\n'

const POLICIES: readonly Case[] = [
  {
    name: 'a key that is spelt wrong',
    policy: 'gates:\n  no-push:\n    ruels: []\n',
    make: () => {},
    finds: {
      id: 'POLICY-BROKEN',
      file: 'signalbox.yaml',
      line: 3,
      effect: 'nothing of this policy is enforced',
      fix: 'did you mean `rules`?',
    },
  },
  {
    name: 'a policy that locks agents up',
    policy: STUCK,
    make: () => {},
    finds: {
      id: 'POLICY-STUCK',
      file: 'signalbox.yaml',
      line: 8,
      effect: 'an agent can get stuck',
      fix: 'signalbox check',
    },
  },
  {
    name: 'a rule that can never match',
    policy: IDLE,
    make: () => {},
    finds: { id: 'POLICY-UNVERIFIED', file: 'signalbox.yaml', line: 4, fix: 'signalbox check' },
  },
  {
    name: 'a policy of the wrong name',
    make: patient => patient.put('signalbox.yml', ''),
    finds: { id: 'POLICY-IGNORED', file: 'signalbox.yml', fix: 'rename it to `signalbox.yaml`' },
  },
  {
    name: 'a policy of your own that others may write',
    make: patient => chmodSync(patient.put('~/signalbox.yaml', 'gates: {}\n'), 0o666),
    finds: {
      id: 'POLICY-EXPOSED',
      effect: 'other users can change what your agents may do',
      found: 'others may write to it (mode 0666)',
      fix: 'chmod go-w ~/signalbox.yaml /home/dev',
    },
  },
  {
    name: 'hooks of a project that nobody trusts',
    policy: HOOK_POLICY,
    make: () => {},
    finds: {
      id: 'POLICY-UNTRUSTED',
      file: 'signalbox.yaml',
      effect: 'the parts of this policy that run code or loosen rules are ignored',
      fix: 'signalbox trust',
    },
  },
  {
    name: 'no policy at all',
    make: patient => patient.program('claude'),
    finds: { id: 'NO-POLICY', severity: 'note', fix: 'signalbox init' },
  },
  {
    name: 'no agent at all',
    make: () => {},
    finds: { id: 'NO-AGENT', severity: 'note', fix: 'install an agent, then signalbox init' },
  },
  {
    name: 'an agent that has only its folder here',
    make: patient => mkdirSync(join(patient.home, '.claude'), { recursive: true }),
    finds: {
      ...{ id: 'NO-AGENT', severity: 'note', effect: 'no agent calls Signalbox', fix: 'signalbox init' },
      found: 'no settings file calls Signalbox; Claude Code is on this machine',
    },
  },
  {
    name: 'routes that all wait for a program',
    policy: 'routes:\n  from: [tool-routes.json]\n',
    make: patient => patient.put('tool-routes.json', '{ "routes": {} '),
    finds: { id: 'ROUTES-NONE', severity: 'problem', file: 'signalbox.yaml', line: 2 },
  },
  {
    name: 'some routes that wait for a program',
    policy: 'use: [tool-routing]\n',
    make: () => {},
    env: patient => ({ PATH: patient.install(['gh']) }),
    finds: {
      ...{ id: 'ROUTES-INACTIVE', severity: 'note' },
      found: expect.stringMatching(/ need `[^`]+`, .*, which are not on the PATH$/),
    },
  },
  {
    name: 'a gate that sends to an agent nobody has',
    policy: 'use: [orchestrator-boundary]\n',
    make: patient => patient.register('claude-code'),
    finds: {
      ...{ id: 'AGENT-MISSING', severity: 'problem', client: 'claude-code' },
      effect: '"orchestrator-boundary" sends Claude Code to the agent `modular-builder`, which does not exist',
    },
  },
  {
    name: 'a state file that cannot be written',
    policy: 'use: [router-first]\n',
    make: patient => {
      const folder = join(patient.project, '.claude')
      mkdirSync(folder)
      chmodSync(folder, 0o555)
    },
    finds: { id: 'EXPORT-UNWRITABLE' },
  },
  {
    name: 'a gate that sends agents to a word nobody knows',
    policy: 'use: [master-orchestrator]\n',
    make: patient => patient.register('claude-code'),
    env: () => ({ PATH: '/nowhere' }),
    finds: { id: 'COMMAND-MISSING', severity: 'problem' },
  },
  {
    name: 'a word nobody knows, where refusals name the program by its path',
    policy: 'use: [master-orchestrator]\n',
    make: patient => {
      patient.register('claude-code')
      patient.put('~/data/bin/signalbox', '#!/bin/sh\n')
      chmodSync(join(patient.home, 'data/bin/signalbox'), 0o755)
    },
    env: () => ({ PATH: '/nowhere' }),
    finds: {
      ...{ id: 'COMMAND-MISSING', severity: 'note' },
      effect: 'denials show the full path of the program; other texts that say `signalbox` do not work in a shell here',
    },
  },
  {
    name: 'a command that is no longer in the policy',
    make: patient => {
      patient.register('claude-code')
      patient.put('.claude/commands/bmad.md', '---\n# signalbox 0123456789ab: written\n---\n')
    },
    finds: {
      ...{ id: 'STALE-TEXT', severity: 'note', client: 'claude-code', file: '.claude/commands/bmad.md' },
      found: 'the policy has no such command',
    },
  },
]

const STORES: readonly Case[] = [
  {
    name: 'a state folder that cannot be written',
    make: patient => {
      mkdirSync(join(patient.home, 'state'), { mode: 0o555 })
    },
    finds: { id: 'LOG-READONLY', file: '~/state', found: 'has mode 0555', fix: 'chmod u+w ~/state' },
  },
  {
    name: 'a state folder for everybody',
    make: patient => {
      mkdirSync(join(patient.home, 'state'))
      chmodSync(join(patient.home, 'state'), 0o755)
    },
    finds: { id: 'STORE-PERMISSIONS', found: 'has mode 0755', fix: 'chmod 700 ~/state' },
  },
  {
    name: 'a store that is damaged',
    make: patient => {
      mkdirSync(join(patient.home, 'state'), { mode: 0o700 })
      writeFileSync(join(patient.home, 'state/signalbox.db'), 'no database at all '.repeat(99), { mode: 0o600 })
    },
    finds: { id: 'STORE-DAMAGED', file: '~/state/signalbox.db' },
  },
  {
    name: 'a store that cannot be opened',
    make: patient => {
      mkdirSync(join(patient.home, 'state'), { mode: 0o700 })
      mkdirSync(join(patient.home, 'state/signalbox.db'), { mode: 0o700 })
    },
    finds: { id: 'STORE-UNUSABLE', file: '~/state/signalbox.db' },
  },
  {
    name: 'a hook that was called for an agent that does not exist',
    make: patient => {
      const why = 'the hook command is wrong: unknown client `codex`: did you mean `codex-cli`?'
      mkdirSync(join(patient.home, 'state'), { mode: 0o700 })
      writeToSpool(join(patient.home, 'state'), {
        ...{ at: Date.now(), client: 'unknown', event: 'Stop', decision: 'pass', why },
      })
    },
    finds: {
      id: 'CLIENT-UNKNOWN',
      found: 'a hook was called with the client `codex` once in the last day',
      fix: 'write `--client codex-cli` where the settings of that agent call the hook',
    },
  },
  {
    name: 'a store that was set aside',
    make: patient => {
      mkdirSync(join(patient.home, 'state'), { mode: 0o700 })
      writeFileSync(join(patient.home, 'state/signalbox.db.damaged-20260101000000-1'), '', { mode: 0o600 })
    },
    finds: { id: 'STORE-QUARANTINED', severity: 'note' },
  },
  {
    name: 'a copy that is older than this program',
    make: patient => {
      patient.program('claude')
      patient.put('~/data/0.0.1/package.json', '{ "version": "0.0.1" }')
      symlinkSync('0.0.1', join(patient.home, 'data/current'))
    },
    finds: { id: 'COPY-OLD', fix: 'signalbox init', found: 'is version 0.0.1; this is 0.1.0' },
  },
  {
    name: 'everything is off',
    make: patient => patient.put('~/state/bypass/off.json', json({ id: 'off', from: Date.now(), reason: 'demo' })),
    finds: { id: 'OFF', fix: 'signalbox on' },
  },
  {
    name: 'a bypass',
    make: patient =>
      patient.put(
        '~/state/bypass/ab12cd.json',
        json({ id: 'ab12cd', root: patient.project, from: Date.now(), until: FAR, reason: 'x' }),
      ),
    finds: { id: 'BYPASSED', fix: 'signalbox bypass --end', found: `until ${localTime(FAR)}: x` },
  },
]

const AGENTS: readonly Case[] = [
  {
    name: 'an agent that cannot tell who calls',
    make: patient => {
      patient.register('claude-code')
      patient.program('claude', 'echo "2.1.68 (Claude Code)"')
    },
    finds: {
      id: 'CLIENT-OLD',
      found: 'Claude Code 2.1.68 does not report which agent makes a call; 2.1.69 does',
      fix: 'update Claude Code to 2.1.69 or later',
    },
  },
  {
    name: 'another hook on the same events',
    make: patient => {
      patient.register('claude-code')
      edit(patient, CLAUDE, text => {
        const said = JSON.parse(text)
        said.hooks.PreToolUse.unshift({ hooks: [{ type: 'command', command: './own.sh' }] })
        return json(said)
      })
    },
    finds: {
      id: 'OTHER-HOOKS',
      severity: 'note',
      found: 'PreToolUse: ./own.sh',
      fix: 'signalbox init --client claude-code --adopt',
    },
  },
  {
    name: 'another hook that no policy can take over',
    make: patient => {
      patient.register('claude-code')
      edit(patient, CLAUDE, text => {
        const said = JSON.parse(text)
        said.hooks.PreToolUse.unshift({ hooks: [{ type: 'command', command: './own.sh', async: true }] })
        return json(said)
      })
    },
    finds: {
      id: 'OTHER-HOOKS',
      fix: 'nothing to do: a policy cannot express what they do, so they stay where they are',
    },
  },
]

/** As `init` leaves it, with this very program behind it. */
function installed(patient: Patient, hook: Buffer | string = readFileSync(HOOK)): string {
  patient.program('claude')
  const file = patient.put('~/data/bin/signalbox', '')
  writeFileSync(file, hook)
  chmodSync(file, 0o755)
  const script = patient.put('~/data/bin/signalbox.sh', renderLauncher(join(patient.home, 'data'), process.execPath))
  chmodSync(script, 0o755)
  symlinkSync(ROOT, join(patient.home, 'data/current'))
  return file
}
const registered = (patient: Patient, file: string): string => patient.register('claude-code', 'user', `'${file}' hook`)
const runFolder = (patient: Patient, mode: number): void => {
  patient.put('~/state/run/token', 'x')
  chmodSync(join(patient.home, 'state/run'), mode)
}
const spooled = (patient: Patient, count: number): void => {
  for (let nth = 0; nth < count; nth++) {
    const file = patient.put(`~/state/spool/${nth}-1.json`, '{}')
    utimesSync(file, Date.now() / 1000 - 600, Date.now() / 1000 - 600)
  }
}

const NATIVE: readonly Case[] = [
  {
    name: 'a native hook of another build',
    make: patient => installed(patient, Buffer.concat([readFileSync(HOOK), Buffer.from('x')])),
    finds: { id: 'NATIVE-MISMATCH', severity: 'problem', file: '~/data/bin/signalbox', fix: 'signalbox init' },
  },
  {
    name: 'a native hook before a program that has none',
    make: patient => {
      installed(patient)
      rmSync(join(patient.home, 'data/current'))
      patient.put('~/data/0.1.0/package.json', '{ "version": "0.1.0" }')
      symlinkSync('0.1.0', join(patient.home, 'data/current'))
    },
    finds: {
      id: 'NATIVE-MISMATCH',
      found: expect.stringMatching(/^is native, and there is no native hook for \S+$/),
    },
  },
  {
    name: 'a script where the native hook could be',
    make: patient => installed(patient, renderLauncher(join(patient.home, 'data'), process.execPath)),
    finds: { id: 'NATIVE-UNUSED', severity: 'note', file: '~/data/bin/signalbox', fix: 'signalbox init' },
  },
  {
    name: 'a native hook that may not be run',
    make: patient => {
      const file = installed(patient)
      chmodSync(file, 0o644)
      registered(patient, file)
    },
    finds: { id: 'HOOK-NOT-EXECUTABLE', fix: 'chmod +x /home/dev/data/bin/signalbox' },
  },
  {
    name: 'a native hook for another kind of machine',
    make: patient => {
      const bytes = readFileSync(HOOK)
      // the field of an ELF file that says for which: none
      bytes.writeUInt16LE(0x7777, 18)
      registered(patient, installed(patient, bytes))
    },
    finds: {
      id: 'PROGRAM-BROKEN',
      file: '~/data/bin/signalbox',
      found: 'it does not start: it is built for another kind of machine',
      fix: expect.stringMatching(/^node \S+\/bin\/signalbox\.cjs init$/),
    },
  },
  {
    name: 'a native hook without the script that it falls back to',
    make: patient => {
      registered(patient, installed(patient))
      rmSync(join(patient.home, 'data/bin/signalbox.sh'))
    },
    finds: {
      id: 'PROGRAM-BROKEN',
      found: expect.stringContaining('the program files are missing; install Signalbox again'),
    },
  },
  {
    name: 'a daemon that is switched off',
    make: patient => installed(patient),
    env: () => ({ SIGNALBOX_DAEMON: 'off' }),
    finds: { id: 'DAEMON-OFF', severity: 'note', fix: 'unset SIGNALBOX_DAEMON' },
  },
  {
    name: 'a folder of the daemon that others may look into',
    make: patient => {
      installed(patient)
      runFolder(patient, 0o755)
    },
    finds: { id: 'RUN-FOLDER', file: '~/state/run', fix: 'chmod 700 ~/state/run' },
  },
  {
    name: 'a folder of the daemon that cannot be written',
    make: patient => {
      installed(patient)
      runFolder(patient, 0o500)
    },
    finds: { id: 'RUN-FOLDER', found: 'has mode 0500: you must be able to write to it, and nobody else' },
  },
  {
    name: 'a file in the place of that folder',
    make: patient => {
      installed(patient)
      patient.put('~/state/run', '')
    },
    finds: { id: 'RUN-FOLDER', found: 'is not a folder', fix: 'rm ~/state/run' },
  },
  {
    name: 'a daemon that could not start',
    make: patient => {
      installed(patient)
      patient.put(
        '~/state/run/log',
        '2026-01-02T03:04:05.000Z 7 serves /x\n2026-01-02T03:05:05.000Z 8 could not start: no room left\n',
      )
      chmodSync(join(patient.home, 'state/run'), 0o700)
    },
    finds: {
      id: 'DAEMON-FAILED',
      found: `could not start at ${localTime(Date.parse('2026-01-02T03:05:05Z'))}: no room left`,
      fix: 'fix that; then signalbox daemon start',
    },
  },
]

const SPOOLS: readonly Case[] = [
  {
    name: 'answers that are not on record',
    make: patient => spooled(patient, 2),
    finds: {
      id: 'SPOOL-WAITING',
      severity: 'note',
      file: '~/state/spool',
      found: '2 replies were given without the database and not logged since',
      fix: 'let an agent run `ls`: the next call logs them',
    },
  },
  {
    name: 'as many of them as are kept',
    make: patient => spooled(patient, 1000),
    finds: { id: 'SPOOL-FULL', severity: 'problem', effect: 'the audit log lacks them, and future ones too' },
  },
]

const GROUPS = {
  SHAPES,
  REGISTERED,
  OFF,
  PATHS,
  TIMES,
  NAMES,
  POLICIES,
  STORES,
  AGENTS,
  SPOOLS,
  ...(isBuilt && { NATIVE }),
}

const near = (told: Told, patient: Patient): Told =>
  told.file === undefined
    ? told
    : { ...told, file: told.file.replace('/home/dev/proj/', '').replace('/home/dev/', '~/').replace(patient.home, '~') }

/** A fix that is a command is tried, as it was told. */
async function applied(fix: string, patient: Patient): Promise<boolean> {
  const [program, ...args] = fix.split(' ')
  if (program === 'chmod') {
    execFileSync('sh', ['-c', fix.replace('/home/dev/proj', patient.project).replace('/home/dev', patient.home)], {
      env: { PATH: patient.path, HOME: patient.home },
      cwd: patient.project,
    })
    return true
  }
  const isOurs = program === 'signalbox' && ['init', 'on', 'bypass', 'uninstall'].includes(args[0] ?? '')
  // moving hooks into the policy is tried with `init --adopt` itself
  if (!isOurs || args.includes('--adopt')) return false
  const more = ['init', 'uninstall'].includes(args[0] ?? '') ? ['--yes'] : []
  const { stderr } = await patient.run([...args, ...more], { env: { PATH: patient.path } })
  if (stderr !== '') throw new Error(`${fix}: ${stderr}`)
  return true
}

describe.each(Object.entries(GROUPS))('%s', (_, cases) => {
  it.each(cases.map(one => [one.name, one] as const))('%s', (_, { make, env, policy, finds }) =>
    withPatient({ project: policy }, async patient => {
      make(patient)
      const look = async (): Promise<readonly Told[]> => {
        const { problems, notes } = await patient.look(env?.(patient))
        return [...problems, ...notes].map(one => near(one, patient))
      }
      const all = await look()
      const found = all.find(({ id }) => id === finds.id)
      expect(found, JSON.stringify(all, null, 1)).toMatchObject(finds)
      if (!found || !(await applied(found.fix, patient))) return
      const after = await look()
      const stays = after.find(({ id, client }) => id === found.id && client === found.client)
      expect(stays, JSON.stringify(after, null, 1)).toBeUndefined()
    }),
  )
})

describe('what is as it should be', () => {
  it.each(['claude-code', 'codex-cli', 'copilot-cli', 'cursor', 'gemini-cli', 'opencode', 'qwen-code'])(
    '%s, registered as init does it: no problem',
    client =>
      withPatient({}, async patient => {
        const file = patient.register(client)
        if (client === 'codex-cli') {
          const said = JSON.parse(readFileSync(file, 'utf8'))
          const states = Object.entries<{ hooks: [Record<string, string>] }[]>(said.hooks).map(([event, [group]]) => {
            const handler = group?.hooks[0] ?? {}
            const digest = trustDigestOf({ file, event, group: 0, nth: 0, handler })
            const name = event.replace(/(?<=.)[A-Z]/g, letter => `_${letter}`).toLowerCase()
            return `[hooks.state."${file}:${name}:0:0"]\ntrusted_hash = "${digest}"\n`
          })
          patient.put('~/.codex/config.toml', states.join('\n'))
        }
        const { ok, problems } = await patient.doctor()
        expect({ ok, problems }).toEqual({ ok: true, problems: [] })
      }),
  )
})
