import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Stage, withStage } from '../support/in-process-command.ts'

const SETTINGS = '~/.claude/settings.json'
const LAUNCHER = '~/.local/share/signalbox/bin/signalbox'
const init = ['init', '--yes', '--client', 'claude-code']
const out = ['uninstall', '--yes']

/** What lies in `.local` too, but for what is stored. */
const inData = (stage: Stage): readonly string[] =>
  existsSync(stage.at('~/.local'))
    ? readdirSync(stage.at('~/.local'), { recursive: true })
        .map(String)
        .filter(name => !name.startsWith('state'))
    : []

describe('what a hook that stays needs', () => {
  it(
    'a project goes on when the person takes out their own; then all of it goes',
    () =>
      withStage(async stage => {
        stage.put('signalbox.yaml', 'use: [router-first]\n')
        const before = stage.everything()
        expect(await stage.run(init), stage.said).toBe(0)
        expect(await stage.run([...init, '--scope', 'project']), stage.said).toBe(0)
        expect(await stage.run([...out, '--scope', 'user']), stage.said).toBe(0)
        expect(stage.said).toContain('except through ./.claude/settings.json')
        expect(stage.said).toMatch(/Next {3}\S+ uninstall {3}removes that too/)
        expect(stage.has(SETTINGS)).toBe(false)
        for (const file of [LAUNCHER, '.signalbox/hook', 'signalbox.yaml', 'CLAUDE.md', '.claude/agents/router.md'])
          expect(stage.has(file), file).toBe(true)
        expect(await stage.run([...init, '--scope', 'project']), stage.said).toBe(0)
        expect(stage.said).toContain('Nothing to change.')
        expect(await stage.run(out), stage.said).toBe(0)
        expect(stage.everything()).toEqual(before)
        expect(inData(stage)).toEqual([])
      }),
    60_000,
  )

  it(
    'a file that cannot be written keeps the program, and the next run finishes',
    () =>
      withStage(async stage => {
        stage.put(SETTINGS, '{}\n')
        const before = stage.everything()
        await stage.run([...init, '--client', 'gemini-cli'])
        chmodSync(stage.at(SETTINGS), 0o444)
        expect(await stage.run(out)).toBe(1)
        expect(stage.said).toContain('is read-only')
        expect(stage.said).toContain('~/.claude/settings.json still calls it')
        expect(stage.said).not.toContain('Done')
        expect(stage.has(LAUNCHER)).toBe(true)
        expect(stage.has('~/.local/share/signalbox/current/package.json')).toBe(true)
        expect(stage.has('~/.gemini/settings.json')).toBe(false)
        chmodSync(stage.at(SETTINGS), 0o644)
        expect(await stage.run(out), stage.said).toBe(0)
        expect(stage.everything()).toEqual(before)
        expect(inData(stage)).toEqual([])
      }),
    60_000,
  )
})

describe('what `init` made', () => {
  it(
    'goes, whatever happened to it; what a person wrote into a policy stays',
    () =>
      withStage(async stage => {
        const before = stage.everything()
        await stage.run(init)
        await stage.run([...init, '--scope', 'project', '--client', 'opencode'])
        const broken = [LAUNCHER, '.signalbox/hook', '.opencode/plugins/signalbox.js']
        for (const file of broken) writeFileSync(stage.at(file), `${stage.text(file).slice(0, 90)}\n# cut\n`)
        await stage.run(init)
        expect(stage.text(LAUNCHER)).not.toContain('# cut')
        stage.put('signalbox.yaml', `${stage.text('signalbox.yaml')}# mine\n`)
        expect(await stage.run(out), stage.said).toBe(0)
        expect(stage.said).not.toContain('restored')
        const { '/proj/signalbox.yaml': policy, ...rest } = stage.everything()
        expect(policy).toBeDefined()
        expect(rest).toEqual(before)
        expect(inData(stage)).toEqual([])
      }),
    60_000,
  )

  it(
    'goes, also what somebody who was killed left: drafts of those who are gone, and half a copy',
    () =>
      withStage(async stage => {
        const before = stage.everything()
        await stage.run(init)
        // as it stands while the copy is made: on record, no file written yet
        const [name = ''] = readdirSync(stage.at('~/.local/share/signalbox')).filter(one => /^\d/.test(one))
        const data = stage.at('~/.local/share/signalbox')
        rmSync(join(data, name), { recursive: true })
        rmSync(join(data, 'current'))
        mkdirSync(join(data, `${name}.99999999.tmp`))
        for (const file of [LAUNCHER, SETTINGS, 'signalbox.yaml']) rmSync(stage.at(file))
        const gone = join(dirname(stage.at(SETTINGS)), '.signalbox-99999999-abc.tmp')
        const alive = join(stage.project, `.signalbox-${process.ppid}-abc.tmp`)
        for (const file of [gone, alive, join(data, 'current.99999999.tmp')]) writeFileSync(file, 'x')
        expect(await stage.run(out), stage.said).toBe(0)
        expect(existsSync(alive)).toBe(true)
        rmSync(alive)
        expect(stage.everything()).toEqual(before)
        expect(inData(stage)).toEqual([])
      }),
    60_000,
  )

  it(
    'is on record before the copy is begun',
    () =>
      withStage(async stage => {
        // a file where the copy should go: it fails, and nothing is left
        stage.put('~/.local/share', 'mine\n')
        expect(await stage.run(init)).toBe(2)
        expect(stage.has('~/.local/state/signalbox/install.json')).toBe(false)
        expect(stage.text('~/.local/share')).toBe('mine\n')
      }),
    30_000,
  )
})

describe('one file', () => {
  it(
    'by two names is one, and comes back to the byte',
    () =>
      withStage(async stage => {
        stage.put('.claude/settings.json', '{}')
        symlinkSync(stage.at('.claude'), stage.at('~/.claude'))
        const before = stage.everything()
        for (const more of [[], ['--scope', 'project'], []]) await stage.run([...init, ...more])
        expect(await stage.run(out), stage.said).toBe(0)
        expect(stage.everything()).toEqual(before)
      }),
    60_000,
  )

  it(
    'with two hard links stays one',
    () =>
      withStage(async stage => {
        const file = stage.put(SETTINGS, '{ "a": 1 }\n')
        mkdirSync(stage.at('~/dotfiles'))
        linkSync(file, stage.at('~/dotfiles/claude.json'))
        await stage.run(init)
        expect(statSync(file).nlink).toBe(2)
        expect(stage.text('~/dotfiles/claude.json')).toContain('hook --client claude-code')
        await stage.run(out)
        expect([statSync(file).nlink, stage.text('~/dotfiles/claude.json')]).toEqual([2, '{ "a": 1 }\n'])
      }),
    60_000,
  )
})

it(
  'where what is stored is elsewhere, the hook and its program go, and it says what it cannot know',
  () =>
    withStage(async stage => {
      const env = { XDG_STATE_HOME: join(stage.home, 'st'), XDG_DATA_HOME: join(stage.home, 'da') }
      stage.put(SETTINGS, '{ "a": 1 }\n')
      await stage.run(init, { env })
      expect(existsSync(join(stage.home, 'da/signalbox/bin/signalbox'))).toBe(true)
      expect(await stage.run(out), stage.said).toBe(0)
      expect(stage.said).toContain('the original of ~/.claude/settings.json is not in')
      expect(stage.said).toContain('XDG_STATE_HOME')
      expect(stage.json(SETTINGS)).toEqual({ a: 1 })
      expect(existsSync(join(stage.home, 'da/signalbox'))).toBe(false)
      expect(readFileSync(join(stage.home, 'st/signalbox/install.json'), 'utf8')).toContain('settings.json')
    }),
  60_000,
)

it(
  'a hook that stood there twice and was adopted once stands there twice again, also after an edit',
  () =>
    withStage(async stage => {
      const handler = { type: 'command', command: '/bin/true' }
      stage.put(SETTINGS, { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler, handler] }] } })
      expect(await stage.run([...init, '--adopt']), stage.said).toBe(0)
      expect(stage.said).toContain('where it is listed twice and runs once')
      expect(stage.text('~/.config/signalbox/signalbox.yaml').match(/run: /g)).toHaveLength(1)
      stage.put(SETTINGS, { ...stage.json(SETTINGS), model: 'opus' })
      expect(await stage.run(out), stage.said).toBe(0)
      const back = stage.json(SETTINGS).hooks.PreToolUse.flatMap(({ hooks }: { hooks: object[] }) => hooks)
      expect(back).toEqual([handler, handler])
      expect(stage.json(SETTINGS).model).toBe('opus')
    }),
  60_000,
)
