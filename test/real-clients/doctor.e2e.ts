import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { trustDigestOf } from '../../src/clients/codex-cli/diagnostics.ts'
import { clients } from '../../src/clients/index.ts'
import { type Patient, withPatient } from '../doctor/doctor-sandbox.ts'
import { BIN } from '../support/sandbox.ts'
import { type Contestant, contestants } from './client.ts'

/** How the program that a person would type starts the one that was installed for the tests. */
const START: Readonly<Record<string, (modules: string) => string>> = {
  'claude-code': modules =>
    `exec '${modules}/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude' "$@"`,
  'codex-cli': modules => `exec '${process.execPath}' '${modules}/@openai/codex/bin/codex.js' "$@"`,
  'copilot-cli': modules => `exec '${process.execPath}' '${modules}/@github/copilot/npm-loader.js' "$@"`,
  'gemini-cli': modules => `exec '${process.execPath}' '${modules}/@google/gemini-cli/bundle/gemini.js' "$@"`,
  opencode: modules => `exec '${modules}/opencode-${process.platform}-${process.arch}/bin/opencode' "$@"`,
  'qwen-code': modules =>
    `exec '${modules}/node-${process.platform}-${process.arch}/bin/node' '${modules}/@qwen-code/qwen-code/cli-entry.js' "$@"`,
}

const PROGRAM: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  'codex-cli': 'codex',
  'copilot-cli': 'copilot',
  'gemini-cli': 'gemini',
  opencode: 'opencode',
  'qwen-code': 'qwen',
}

/** The agent as it is on a person's machine: its program, and what it has of itself in its home. */
function bring(patient: Patient, { id, installed }: Contestant): void {
  const modules = join(installed, 'node_modules')
  patient.program(PROGRAM[id] ?? id, START[id]?.(modules))
  if (id !== 'opencode') return
  const dependencies = { '@opencode-ai/plugin': '*' }
  patient.put('~/.config/opencode/package.json', JSON.stringify({ dependencies }))
  patient.put(
    '~/.config/opencode/package-lock.json',
    JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies } } }),
  )
  const to = join(patient.home, '.config/opencode/node_modules/@opencode-ai')
  mkdirSync(to, { recursive: true })
  symlinkSync(join(modules, '@opencode-ai/plugin'), join(to, 'plugin'))
}

/** What its `/hooks` writes when a person has reviewed the hook. */
function review(patient: Patient, file: string): void {
  const handler = { type: 'command', command: `${patient.command} --client codex-cli`, timeout: 10 }
  const hash = trustDigestOf({ file, event: 'PreToolUse', group: 0, nth: 0, handler })
  patient.put('~/.codex/config.toml', `[hooks.state."${file}:pre_tool_use:0:0"]\ntrusted_hash = "${hash}"\n`)
}

/** Agents whose hooks of a project run without a word of a person. */
const PROJECT = ['claude-code', 'opencode', 'qwen-code']

/** How each is kept from running hooks. */
const OFF: Readonly<Record<string, { readonly id: string; readonly make?: (patient: Patient) => void }>> = {
  'claude-code': {
    id: 'HOOKS-DISABLED',
    make: patient => patient.put('.claude/settings.local.json', '{ "disableAllHooks": true }'),
  },
  // nobody reviewed it
  'codex-cli': { id: 'HOOK-UNREVIEWED' },
  'gemini-cli': {
    id: 'HOOKS-DISABLED',
    make: patient => patient.put('.gemini/settings.json', '{ "hooksConfig": { "enabled": false } }'),
  },
  'qwen-code': {
    id: 'HOOKS-DISABLED',
    make: patient => patient.put('.qwen/settings.json', '{ "disableAllHooks": true }'),
  },
  'copilot-cli': {
    id: 'HOOKS-DISABLED',
    make: patient => {
      const said = JSON.parse(readFileSync(patient.register('copilot-cli'), 'utf8'))
      patient.put('~/.copilot/hooks/signalbox.json', JSON.stringify({ ...said, disableAllHooks: true }))
    },
  },
}

const served = contestants().filter(({ id }) => clients.some(client => client.id === id) && START[id])

describe.each(served)('$id $version', contestant => {
  const { id, version } = contestant

  it('refuses the canary itself, with the registration as it is', () =>
    withPatient({}, async patient => {
      bring(patient, contestant)
      const file = patient.register(id)
      if (id === 'codex-cli') review(patient, file)
      const { live } = await patient.doctor(['--live', '--yes'])
      expect(live, JSON.stringify(live)).toMatchObject([
        { kind: 'command', client: id, verdict: 'denied' },
        { kind: 'agent', client: id, version, verdict: 'denied' },
      ])
      expect(existsSync(join(patient.home, 'state/signalbox.db'))).toBe(false)
    }))

  it.runIf(PROJECT.includes(id))('refuses it with what init writes into a project', () =>
    withPatient({}, async patient => {
      bring(patient, contestant)
      const env = { PATH: patient.path }
      await patient.run(['init', '--yes', '--client', id, '--scope', 'project'], { env })
      await patient.run(['init', '--yes', '--client', id], { env })
      await patient.run(['uninstall', '--yes', '--scope', 'user'], { env })
      patient.program('signalbox', `exec '${process.execPath}' '${BIN}' "$@"`)
      const { live } = await patient.doctor(['--live', '--yes'])
      expect(live, JSON.stringify(live)).toMatchObject([
        { kind: 'command', client: id, verdict: 'denied' },
        { kind: 'agent', client: id, verdict: 'denied' },
      ])
    }),
  )

  const off = OFF[id]
  it.runIf(off)('makes the call where its hooks do not run, and doctor says why', () =>
    withPatient({}, async patient => {
      bring(patient, contestant)
      patient.register(id)
      off?.make?.(patient)
      const { live, problems } = await patient.doctor(['--live', '--yes'])
      expect(live?.at(-1), JSON.stringify(live)).toMatchObject({ kind: 'agent', verdict: 'not-denied' })
      expect(problems.map(one => one.id)).toContain(off?.id)
    }),
  )
})
