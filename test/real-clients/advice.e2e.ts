import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { scriptMarkOf } from '../../src/testing/fake-llm/index.ts'
import { contestants } from './client.ts'
import type { Launch } from './driver.ts'
import type { Act } from './scenario.ts'
import { playBeside, type Script } from './scripted-play.ts'
import { putFile } from './setup.ts'
import type { Folders } from './stage.ts'

const shell = (command: string): Act => ({ kind: 'shell', command })
const all = contestants()
const only = (id: string) => all.filter(one => one.id === id)

const RELEASE = {
  gates: {
    'tests-before-release': {
      initial: 'closed',
      transitions: [
        { from: 'closed', to: 'open', when: { event: 'tool.after', command: 'npm test', succeeded: true } },
      ],
      rules: [
        {
          ...{ while: 'closed', when: { event: 'tool.before', command: 'sh release.sh' }, then: 'deny' },
          ...{ message: 'Run `{suggest}` first.', suggest: 'npm test' },
        },
      ],
    },
  },
}

describe.each(only('codex-cli'))('$id $version, in its own sandbox', contestant => {
  const SANDBOX = ['-c', 'sandbox_mode="workspace-write"']

  it('what a refusal says to type opens the gate, on a fresh install, without `signalbox` on the PATH', () =>
    playBeside(
      contestant,
      'sandbox: the advice opens the gate',
      {
        policy: RELEASE,
        before: { 'package.json': '{ "scripts": { "test": "echo it passed" } }', 'release.sh': 'echo it is out\n' },
        around: { sandbox: true },
        args: SANDBOX,
        script: told => {
          const typed = /`([^`]*signalbox run -- npm test)`/.exec(told[0] ?? '')?.[1] ?? 'echo nothing was said'
          return [shell('sh release.sh'), shell(typed), shell('sh release.sh')][told.length]
        },
      },
      ({ told }) => {
        expect(told[0]).toMatch(/`\/\S+\/bin\/signalbox run -- npm test`/)
        expect(told[1]).toContain('it passed')
        expect(told[1]).not.toContain('not signed')
        expect(told[2]).toContain('it is out')
      },
    ))

  it('`signalbox orchestrate` says that the sandbox is in the way, and what to do', () =>
    playBeside(
      contestant,
      'sandbox: orchestrate says why it cannot',
      {
        policy: { use: ['master-orchestrator'] },
        around: { sandbox: true },
        // on the PATH of its shell is an agent, and no `signalbox`
        prepare: ({ home }) => {
          for (const file of ['.profile', '.bash_profile']) putFile(home, file, 'PATH="$HOME/agents:$PATH"\n')
          putFile(home, 'agents/codex', '#!/bin/sh\n')
          chmodSync(join(home, 'agents/codex'), 0o755)
        },
        args: SANDBOX,
        script: told => {
          const typed = /`([^`]*signalbox orchestrate )"<task>"`/.exec(told[0] ?? '')?.[1] ?? 'echo nothing was said: '
          return [shell('touch a.txt'), shell(`${typed}"make a.txt"`)][told.length]
        },
      },
      ({ told }) => {
        expect(told[1]).toContain('its sandbox is the reason')
        expect(told[1]).toContain('escalated permissions')
      },
    ))
})

describe.concurrent.each(all.filter(({ served }) => served))('$id $version, with nobody there', contestant => {
  it('ends where a rule asks and nobody can answer: the call is refused', () =>
    playBeside(
      contestant,
      'nobody there: a question is a refusal',
      {
        policy: RELEASE,
        // by the shell: some clients refuse by themselves to write a file that the agent has not read
        script: told => [shell("printf 'gates: {}' > signalbox.yaml")][told.length],
      },
      ({ ended, told, folders }) => {
        expect(ended.timedOut).toBe(false)
        expect(told[0]).toContain('signalbox.yaml')
        expect(readFileSync(join(folders.project, 'signalbox.yaml'), 'utf8')).toBe(stringify(RELEASE))
      },
    ))
})

describe.each(only('qwen-code'))('$id $version', contestant => {
  const BETA = {
    gates: {
      'beta-reads': {
        rules: [
          { when: { event: 'tool.before', caller: 'beta', action: 'write' }, then: 'deny', message: 'Beta reads.' },
        ],
      },
    },
  }

  /** As model servers make them. */
  const IDS = {
    'LM Studio': '365174485',
    Mistral: 'D681PevKs',
    'llama.cpp': 'Xq3mZbT0vYc8LwRk5NsHd1GfJp7UaEoi',
    Kimi: 'functions.agent:0',
    Bedrock: 'tooluse_k2Jd-9fQTzW1mXbNc0Rv4A',
    'a server with UUIDs': '7b0e9a34-58c1-4d6e-9f22-0a1b2c3d4e5f',
  }

  it.each(Object.entries(IDS))('knows an agent by its type, with the ids of %s', (server, id) =>
    playBeside(
      contestant,
      `an agent by its type, with ids of ${server}`,
      {
        policy: BETA,
        agents: ['beta'],
        script: (told, part) => {
          if (part !== 'main') return told.length === 0 ? { kind: 'write', path: 'beta.txt', content: 'x' } : undefined
          const spawn = { kind: 'spawn', agent: 'beta', prompt: `Play your part. ${scriptMarkOf('main.0')}` } as const
          return told.length === 0 ? { ...contestant.driver.call(spawn, {} as never), id } : undefined
        },
      },
      ({ records, folders }) => {
        expect(existsSync(join(folders.project, 'beta.txt'))).toBe(false)
        expect(records.filter(({ decision }) => decision === 'deny')).toMatchObject([{ caller: 'beta' }])
      },
    ),
  )
})

/** The program as a person types it. */
function putClaude({ folder }: Folders, { command }: Launch): void {
  putFile(folder, 'bin/claude', `#!/bin/sh\nexec '${command}' "$@"\n`)
  chmodSync(join(folder, 'bin/claude'), 0o755)
}

describe.each(only('claude-code').slice(-1))('$id $version, with four packs', contestant => {
  const DECISION = '{"intent": "script", "complexity": "low", "workflow_selection": "quick.yaml", "confidence": 0.9}'

  /** Routes and orchestrates as the first refusal says; the session that this starts writes the file. */
  const script: Script = (told, part) => {
    const write = { kind: 'write', path: 'src/auth.py', content: 'auth = 1\n' } as const
    if (part === 'main.1') return { text: DECISION }
    if (part === 'main.2') return told.length === 0 ? write : undefined
    const [reason = ''] = told
    const agent = /subagent_type `([^`]+)`/.exec(reason)?.[1] ?? 'nobody was named'
    const typed = /`(signalbox orchestrate )"<task>"`/.exec(reason)?.[1] ?? 'echo nothing was said: '
    return [
      write,
      { kind: 'spawn', agent, prompt: `Play your part. ${scriptMarkOf('main.1')}` } as const,
      shell(`${typed}"create the auth module. ${scriptMarkOf('main.2')}"`),
    ][told.length]
  }

  it('writes a file after one refusal, which says the order', () =>
    playBeside(
      contestant,
      'four packs: one refusal',
      {
        policy: { use: ['router-first', 'orchestrator-boundary', 'master-orchestrator', 'tool-routing'] },
        prepare: putClaude,
        script,
      },
      ({ told, records, folders }) => {
        expect(told[2]).toContain('bypasses router-first, orchestrator-boundary, master-orchestrator')
        expect(readFileSync(join(folders.project, 'src/auth.py'), 'utf8')).toBe('auth = 1\n')
        expect(records.filter(({ decision }) => decision === 'deny')).toHaveLength(1)
      },
    ))
})

describe.concurrent.each(all.filter(({ served }) => served))('$id $version, with the program gone', contestant => {
  const launcherOf = ({ home }: Folders): string => join(home, '.local/share/signalbox/bin/signalbox')
  let said = ''

  it('does what `doctor` says', () =>
    playBeside(
      contestant,
      'the program gone: as doctor says',
      {
        policy: RELEASE,
        // what happens differs by its version
        ...(contestant.id === 'claude-code' && { prepare: putClaude }),
        change: folders => {
          rmSync(launcherOf(folders))
          said = folders.signalbox('doctor').said
        },
        script: told => [{ kind: 'write', path: 'a.txt', content: 'x' } as const][told.length],
      },
      ({ folders }) => {
        const line = said.split('\n').find(one => one.includes('HOOK-PATH-GONE')) ?? said
        const passes = existsSync(join(folders.project, 'a.txt'))
        expect(line).toMatch(passes ? /call passes unchecked$/ : /call is denied(; before .* it passes unchecked)?$/)
      },
    ))
})
