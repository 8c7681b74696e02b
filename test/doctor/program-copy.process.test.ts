import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REQUIRED_FILES } from '../../src/app/install/index.ts'
import { type Patient, withPatient } from './doctor-sandbox.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DATA = 'data'

async function installed(work: (patient: Patient, current: string) => Promise<void>): Promise<void> {
  await withPatient({}, async patient => {
    const env = { PATH: patient.path }
    const { exitCode } = await patient.run(['init', '--yes', '--client', 'claude-code'], { env })
    expect(exitCode).toBe(0)
    await work(patient, join(patient.home, DATA, 'current'))
  })
}

const idsOf = (all: readonly { readonly id: string }[]): readonly string[] => all.map(({ id }) => id)

describe('the program that a launcher starts', () => {
  it('every file that is looked for is a file of the program', () => {
    expect(REQUIRED_FILES.filter(name => !existsSync(join(ROOT, name)))).toEqual([])
  })

  const HARM: Readonly<Record<string, (current: string) => void>> = {
    'the link is gone': current => rmSync(current),
    'a part is gone': current => rmSync(join(current, 'dist/entry.cjs')),
    'a part is empty': current => writeFileSync(join(current, 'dist/entry.cjs'), ''),
    'it does not start': current => writeFileSync(join(current, 'bin/signalbox.cjs'), 'throw new Error("no")\n'),
  }
  it.each(Object.entries(HARM))('%s', (_, harm) =>
    installed(async (patient, current) => {
      expect(idsOf((await patient.doctor()).problems)).not.toContain('PROGRAM-BROKEN')
      harm(current)
      const { problems } = await patient.doctor()
      const found = problems.find(({ id }) => id === 'PROGRAM-BROKEN')
      expect(found).toMatchObject({ fix: expect.stringMatching(/^node .*signalbox\.cjs'? init$/) })
      const { stdout } = await patient.run(['status'], { env: { PATH: patient.path } })
      expect(stdout).toMatch(/Claude Code {2}BROKEN/)
      // the fix, as it is typed
      await patient.run(['init', '--yes', '--client', 'claude-code'], { env: { PATH: patient.path } })
      expect(idsOf((await patient.doctor()).problems)).not.toContain('PROGRAM-BROKEN')
    }),
  )
})

describe('one registration of two', () => {
  const PLUGIN = '.claude/plugins/cache/market/signalbox/0.1.0'
  const twice = async (patient: Patient): Promise<string | undefined> => {
    const { problems, notes } = await patient.doctor()
    return [...problems, ...notes].find(({ id }) => id === 'HOOK-DUPLICATE')?.fix
  }
  const say = (file: string, isOn: boolean): void => {
    const said = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...said, enabledPlugins: { 'signalbox@market': isOn } }))
  }

  it('a Claude plugin that is switched off is none', () =>
    withPatient({}, async patient => {
      cpSync(join(ROOT, 'plugins/claude-code'), join(patient.home, PLUGIN), { recursive: true })
      const file = patient.register('claude-code')
      // nobody said whether it is on: what surely runs stays
      expect(await twice(patient)).toBe('claude plugin uninstall signalbox')
      say(file, true)
      expect(await twice(patient)).toBe('signalbox uninstall --scope user')
      say(file, false)
      expect(await twice(patient)).toBeUndefined()
      patient.put('.claude/settings.json', '{ "enabledPlugins": { "signalbox@market": true } }')
      expect(await twice(patient)).toBe('signalbox uninstall --scope user')
      patient.put('.claude/settings.json', '{}')
      patient.program('claude')
      writeFileSync(file, '{ "enabledPlugins": { "signalbox@market": false } }')
      expect(idsOf((await patient.doctor()).problems)).toContain('HOOK-MISSING')
    }))

  it('nor is a Gemini extension that is switched off here', () =>
    withPatient({}, async patient => {
      cpSync(join(ROOT, 'plugins/gemini-cli'), join(patient.home, '.gemini/extensions/signalbox'), { recursive: true })
      patient.register('gemini-cli')
      const rules = (...overrides: string[]) =>
        patient.put('~/.gemini/extensions/extension-enablement.json', JSON.stringify({ signalbox: { overrides } }))
      expect(await twice(patient)).toBe('signalbox uninstall --scope user')
      rules(`!${patient.folder}/*`)
      expect(await twice(patient)).toBeUndefined()
      rules(`!${patient.folder}/*`, `${patient.project}/`)
      expect(await twice(patient)).toBe('signalbox uninstall --scope user')
    }))

  it('where `uninstall` does not look, the file is told', () =>
    withPatient({}, async patient => {
      const text = readFileSync(patient.register('claude-code'), 'utf8')
      patient.put('.claude/settings.local.json', text)
      expect(await twice(patient)).toBe('remove the hooks that call `signalbox` from .claude/settings.local.json')
    }))
})

describe('what is told to be typed', () => {
  it('is a command that is there', () =>
    withPatient({}, async patient => {
      patient.program('claude')
      const bare = [join(process.execPath, '..'), '/usr/bin', '/bin'].join(':')
      patient.register('claude-code')
      const { stdout } = await patient.run(['doctor'], { env: { PATH: bare } })
      expect(stdout).toMatch(/Next {2}node \S+signalbox\.cjs'? doctor --live/)
      const { stdout: named } = await patient.run(['doctor'], { env: { PATH: patient.path } })
      expect(named).toContain('Next  signalbox doctor --live')
    }))

  it('a hook that `init` registered and that is gone is a problem, also without its agent on the PATH', () =>
    withPatient({}, async patient => {
      const settings = patient.put('~/.claude/settings.json', '{}')
      const env = { PATH: patient.path }
      await patient.run(['init', '--yes', '--client', 'claude-code', '--scope', 'user'], { env })
      expect(idsOf((await patient.doctor()).problems)).not.toContain('HOOK-MISSING')
      writeFileSync(settings, '{}')
      const { problems } = await patient.doctor()
      expect(problems.find(({ id }) => id === 'HOOK-MISSING')).toMatchObject({
        found: '`signalbox init` registered its hook, and it is gone',
        fix: expect.stringContaining('init --client claude-code'),
      })
      await patient.run(['uninstall', '--yes'], { env })
      expect(idsOf((await patient.doctor()).problems)).not.toContain('HOOK-MISSING')
    }))

  it("words like ours in somebody's own line are no registration", () =>
    withPatient({}, async patient => {
      patient.program('claude')
      const command = 'tee -a ~/signalbox.log | ~/bin/my-hook --client claude-code'
      patient.put(
        '~/.claude/settings.json',
        JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }),
      )
      expect(idsOf((await patient.doctor()).problems)).toContain('HOOK-MISSING')
      const { stdout } = await patient.run(['status'], { env: { PATH: patient.path } })
      expect(stdout).toMatch(/Claude Code {2}NO HOOK/)
    }))

  it('settings that the agent does not load have a place and a fix', () =>
    withPatient({}, async patient => {
      const file = patient.register('claude-code')
      writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{\n  // mine'))
      const { problems } = await patient.doctor()
      expect(problems).toMatchObject([
        {
          id: 'SETTINGS-NOT-LOADED',
          file: expect.stringMatching(/\.claude\/settings\.json$/),
          line: 2,
          found: 'column 3: has a comment',
          fix: 'remove it; then signalbox init --client claude-code',
        },
      ])
    }))
})
