import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientSettings } from '../../src/clients/settings.ts'
import { CALL, lineIn, type Machine, onMachine } from './machine.ts'

/** Plain JSON, oddly set: Claude Code takes no comments. */
const SETTINGS = `{
  "model":   "opus" ,
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard.sh" }] }
    ]
  }
}
`
const init = (machine: Machine, ...args: string[]) => machine.run(['init', '--yes', ...args])
const uninstall = (machine: Machine, ...args: string[]) => machine.run(['uninstall', '--yes', ...args])

describe('init, then uninstall', () => {
  for (const scope of ['user', 'project'])
    it(`${scope}: every agent's deny comes back, twice is once, and every byte is as it was`, () =>
      onMachine(async machine => {
        const before = machine.tree()
        // a project's launcher finds the person's
        if (scope === 'project') await init(machine, '--client', 'claude-code')
        const first = machine.tree()
        const all = [...clientSettings.flatMap(({ id }) => ['--client', id]), '--scope', scope]
        const made = await init(machine, ...all)
        expect(made).toMatchObject({ exitCode: 0, stderr: '' })
        expect(made.stdout.match(/test call denied in \d+ ms/g)).toHaveLength(clientSettings.length)
        // Codex CLI and Gemini CLI want a word first, for a project Copilot CLI too; nobody has seen Cursor
        const waiting = scope === 'project' ? 4 : 3
        expect(made.stdout.match(/ {2}UNVERIFIED {2}/g)).toHaveLength(waiting)
        expect(made.stdout.match(/ {2}ENFORCING$/gm)).toHaveLength(clientSettings.length - waiting)
        expect(made.stdout).toMatch(
          /Codex CLI +test call denied.*UNVERIFIED +(the hook was never reviewed|this project is not trusted)/,
        )
        const after = machine.tree()
        expect(after).not.toEqual(first)
        const again = await init(machine, ...all)
        expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/Nothing to change\.\n$/) })
        expect(machine.tree()).toEqual(after)
        expect(await uninstall(machine)).toMatchObject({ exitCode: 0, stderr: '' })
        expect(machine.tree()).toEqual(before)
      }))

  it('files that were there: comments, modes, links, line ends', () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', SETTINGS, 0o640)
      machine.put('.gemini/settings.json', '{\r\n\t"theme": "x" /* the big one */\r\n}\r\n')
      machine.put('dot/codex.json', '{"hooks":{}}', 0o600)
      mkdirSync(join(machine.home, '.codex'))
      symlinkSync('../dot/codex.json', join(machine.home, '.codex/hooks.json'))
      machine.put('my shop/CLAUDE.md', '# Shop\r\n\r\nBe kind.')
      machine.put('my shop/AGENTS.md', '')
      machine.put('my shop/signalbox.yaml', 'use: [router-first]\n')
      machine.put('my shop/.claude/agents/router.md', 'my own router\n')
      const before = machine.tree()
      const { exitCode, stdout } = await init(machine)
      expect(exitCode).toBe(0)
      expect(stdout).toContain('1 hook of yours, kept')
      expect(machine.read('.claude/settings.json')).toContain('"model":   "opus" ,')
      expect(machine.read('.gemini/settings.json')).toContain('/* the big one */')
      expect(machine.json('dot/codex.json').hooks.PreToolUse).toHaveLength(1)
      expect(statSync(join(machine.home, '.claude/settings.json')).mode & 0o777).toBe(0o640)
      expect(machine.read('my shop/CLAUDE.md')).toMatch(/^# Shop\r\n\r\nBe kind\.\r\n\r\n<!-- signalbox/)
      expect(machine.read('my shop/signalbox.yaml')).toBe('use: [router-first]\n')
      expect(machine.read('my shop/.claude/agents/router.md')).toBe('my own router\n')
      await uninstall(machine)
      expect(machine.tree()).toEqual(before)
    }))

  it("a person's edits since stay; only what is ours goes", () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', SETTINGS)
      await init(machine)
      machine.put('my shop/signalbox.yaml', machine.read('my shop/signalbox.yaml').replace('# - router', '- router'))
      await init(machine)
      const edit = (path: string, from: string, to: string) => machine.put(path, machine.read(path).replace(from, to))
      edit('.claude/settings.json', '"opus"', '"sonnet"')
      edit('my shop/CLAUDE.md', '<!-- signalbox', 'Be kind.\n\n<!-- signalbox')
      edit('my shop/signalbox.yaml', 'mode: observe', 'mode: block')
      const { stdout } = await uninstall(machine)
      expect(stdout).toContain('       = ./signalbox.yaml  kept, because you changed it')
      expect(stdout).toContain('Kept   ./signalbox.yaml, because you changed it')
      for (const name of ['code', 'cache']) expect(machine.has(`.local/state/signalbox/${name}`), name).toBe(false)
      expect(JSON.stringify(machine.read('.claude/settings.json')).replace(/\\n|\s/g, '')).toBe(
        JSON.stringify(SETTINGS.replace('"opus"', '"sonnet"')).replace(/\\n|\s/g, ''),
      )
      expect(machine.read('my shop/CLAUDE.md')).toBe('Be kind.\n')
      expect(machine.read('my shop/signalbox.yaml')).toContain('mode: block')
      expect(machine.has('.local/share/signalbox')).toBe(false)
    }))

  it('a hook that was registered by hand goes too', () =>
    onMachine(async machine => {
      const command = 'node /opt/signalbox/bin/signalbox.cjs hook --client claude-code'
      machine.put('.claude/settings.json', JSON.stringify({ a: 1, hooks: { Stop: [{ hooks: [{ command }] }] } }))
      const { exitCode } = await uninstall(machine)
      expect(exitCode).toBe(0)
      expect(machine.json('.claude/settings.json')).toEqual({ a: 1 })
    }))

  it('without its record lists only what it removes', () =>
    onMachine(async machine => {
      await init(machine, '--client', 'claude-code')
      rmSync(join(machine.home, '.local/state/signalbox/install.json'))
      mkdirSync(join(machine.home, '.local/0.0.1-01234567'), { recursive: true })
      const { stdout } = await uninstall(machine, '--dry-run')
      expect(stdout).toContain('- ~/.local/bin/signalbox')
      expect(stdout.match(/- .* {2}the program$/gm)).toEqual(['- ~/.local/share/signalbox/  the program'])
      await uninstall(machine)
      expect(machine.has('.local/0.0.1-01234567')).toBe(true)
      expect(machine.has('.local/share/signalbox')).toBe(false)
    }))
})

describe('a project on a machine without any Signalbox', () => {
  it('gets the program for this person too, and enforces; it goes with the last hook', () =>
    onMachine(async machine => {
      const before = machine.tree()
      const { exitCode, stdout } = await init(machine, '--scope', 'project', '--client', 'claude-code')
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('  ENFORCING') })
      expect(stdout).toMatch(/\+ ~\/\.local\/share\/signalbox\/ +the program/)
      expect(machine.has('.local/share/signalbox/bin/signalbox')).toBe(true)
      expect((await init(machine, '--scope', 'project', '--client', 'claude-code')).stdout).toContain(
        'Nothing to change.',
      )
      // the person's own hook keeps it
      await init(machine, '--client', 'claude-code')
      await uninstall(machine, '--scope', 'project')
      expect(machine.has('.local/share/signalbox/bin/signalbox')).toBe(true)
      await uninstall(machine)
      await init(machine, '--scope', 'project', '--client', 'claude-code')
      expect(await uninstall(machine, '--scope', 'project')).toMatchObject({ exitCode: 0 })
      expect(machine.tree()).toEqual(before)
    }))
})

describe('upgrades', () => {
  it('another version replaces the program, not the line; uninstall still knows what was there first', () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', SETTINGS)
      const before = machine.tree()
      await init(machine)
      const line = machine.read('.claude/settings.json')
      const bin = machine.unpack('next', '0.2.0')
      const { stdout, exitCode } = await machine.run(['init', '--yes'], { bin })
      expect(stdout).toContain('the program, 0.2.0')
      expect(exitCode).toBe(0)
      expect(machine.read('.claude/settings.json')).toBe(line)
      const launcher = `'${join(machine.home, '.local/share/signalbox/bin/signalbox').replaceAll("'", "'\\''")}'`
      expect((await machine.shell(`${launcher} version`)).stdout).toBe('0.2.0\n')
      // the one before stays for a session that loads from it, older ones go
      await machine.run(['init', '--yes'], { bin: machine.unpack('third', '0.3.0') })
      const versions = readdirSync(join(machine.home, '.local/share/signalbox')).map(name => name.split('-')[0])
      expect(versions.sort()).toEqual(['0.2.0', '0.3.0', 'audit', 'bin', 'current'])
      await machine.shell(`${launcher} uninstall --yes`)
      expect(machine.tree()).toEqual(before)
    }))

  it('a file that was edited between two versions keeps the edit', () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', '{\n  "model": "opus"\n}\n')
      await init(machine)
      const old = machine
        .read('.claude/settings.json')
        .replace('"opus"', '"sonnet"')
        .replaceAll('"timeout": 10', '"timeout": 5')
      machine.put('.claude/settings.json', old)
      await init(machine)
      expect(machine.read('.claude/settings.json')).toContain('"timeout": 10')
      await uninstall(machine)
      expect(machine.read('.claude/settings.json')).toBe('{\n  "model": "sonnet"\n}\n')
    }))

  it('the cache of npx may be emptied, and Node may move', () =>
    onMachine(async machine => {
      const bin = machine.unpack('_npx/1a2b')
      await machine.run(['init', '--yes', '--client', 'claude-code'], { bin, env: { npm_command: 'exec' } })
      rmSync(join(machine.folder, '_npx'), { recursive: true })
      const line = lineIn(machine.json('.claude/settings.json'), 'PreToolUse')
      expect((await machine.shell(line, { input: CALL })).stdout).toContain('"permissionDecision":"deny"')
      const launcher = machine.read(machine.launcher)
      expect(launcher).toContain(`\nnode=${process.execPath}\n`)
      machine.put(machine.launcher, launcher.replace(/\nnode=.*/, '\nnode=/opt/gone/bin/node'))
      expect((await machine.shell(line, { input: CALL })).stdout).toContain('"permissionDecision":"deny"')
    }))
})

describe('files that cannot be used', () => {
  it('are left alone, with the place; the others go on', () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', '{\n  "model": "opus"\n  "a": 1\n}\n')
      machine.put('.gemini/settings.json', '{}', 0o444)
      machine.put('.qwen/settings.json/x', '')
      machine.put('.codex/hooks.json', '{}')
      const before = machine.tree()
      const { exitCode, stdout, stderr } = await init(machine)
      expect(exitCode).toBe(1)
      expect(stderr).toContain(
        '~/.claude/settings.json:3:3 is not valid JSON: `,` or `}` is missing; the file was not changed: fix it',
      )
      expect(stderr).toContain('~/.gemini/settings.json is read-only; the file was not changed: chmod u+w')
      expect(stderr).toContain('~/.qwen/settings.json is not a file; the file was not changed')
      expect(stdout).toMatch(/Codex CLI +test call denied in/)
      const after = machine.tree()
      for (const path of ['.claude/settings.json', '.gemini/settings.json', '.qwen/settings.json'])
        expect(after[path]).toBe(before[path])
      await uninstall(machine)
      expect(machine.tree()).toEqual(before)
    }))

  it('a router, launcher or plugin of somebody else is not ours to change', () =>
    onMachine(async machine => {
      machine.put('my shop/.signalbox/hook', 'theirs\n')
      machine.put('my shop/.opencode/plugins/signalbox.js', 'theirs\n')
      const { exitCode, stderr } = await init(machine, '--client', 'opencode', '--scope', 'project')
      expect(exitCode).toBe(1)
      expect(stderr.match(/already exists and was not written by Signalbox; the file was not changed/g)).toHaveLength(2)
      expect(machine.read('my shop/.signalbox/hook')).toBe('theirs\n')
    }))

  it('and no agent is told to start it', () =>
    onMachine(async machine => {
      machine.put('my shop/.signalbox/hook', '#!/bin/sh\nexit 0\n')
      machine.put('my shop/.claude/settings.json', '{\n  "hooks": {}\n}\n')
      const { exitCode, stderr } = await init(machine, '--client', 'claude-code', '--scope', 'project')
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(
        /\.claude\/settings\.json would start \.signalbox\/hook, which was not written by Signalbox; the file was not changed: check .*\.signalbox\/hook, remove it, and run this command again/,
      )
      expect(machine.read('my shop/.claude/settings.json')).toBe('{\n  "hooks": {}\n}\n')
    }))

  it('nor is one put where a link of the project leads, outside of it', () =>
    onMachine(async machine => {
      machine.put('elsewhere/README', '')
      machine.put('my shop/.claude/settings.json', '{\n  "hooks": {}\n}\n')
      symlinkSync('../elsewhere', join(machine.project, '.signalbox'))
      const { exitCode, stderr } = await init(machine, '--client', 'claude-code', '--scope', 'project')
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/\.signalbox\/hook leads out of the project/)
      expect(machine.tree()['elsewhere/hook']).toBeUndefined()
      expect(machine.read('my shop/.claude/settings.json')).toBe('{\n  "hooks": {}\n}\n')
    }))
})

describe('what it is told', () => {
  it('without a terminal: the plan, nothing changed, exit 2', () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', '{}')
      const before = machine.tree()
      const ran = await machine.run(['init'])
      expect(ran).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(
          /nothing was changed\. To go ahead, run: node .*bin\/signalbox\.cjs'? init --yes\n$/,
        ),
      })
      expect(ran.stdout).toContain('~ ~/.claude/settings.json')
      expect(await machine.run(['init', '--dry-run'])).toMatchObject({ exitCode: 0, stderr: '' })
      expect(JSON.parse((await machine.run(['init', '--json'])).stdout).applied).toBe(false)
      expect(machine.tree()).toEqual(before)
      await init(machine)
      const after = machine.tree()
      expect(await machine.run(['uninstall'])).toMatchObject({ exitCode: 2 })
      expect((await machine.run(['uninstall', '--dry-run'])).stdout).toContain('Nothing was changed.')
      expect(await machine.run(['uninstall', '--yes'], { env: { CLAUDECODE: '1' } })).toMatchObject({ exitCode: 2 })
      expect(machine.tree()).toEqual(after)
    }))

  const wrong: Readonly<Record<string, readonly [readonly string[], string]>> = {
    'no agent': [[], 'init --client claude-code\n'],
    'an unknown agent': [
      ['--client', 'codx'],
      'unknown client `codx`; did you mean `codex-cli`? clients: claude-code, ',
    ],
    'half a name': [['--client', 'gemini'], 'did you mean `gemini-cli`?'],
    'one without a file': [['--client', 'generic'], '`generic` has no settings file that `init` can write'],
    'an unknown scope': [['--scope', 'team'], 'unknown scope `team`; scopes: user, project, managed'],
    'an unknown option': [['--force'], 'unknown option `--force`'],
    'no file for the machine': [['--client', 'codex-cli', '--scope', 'managed'], 'Codex CLI: its managed hooks are in'],
  }
  for (const [name, [args, words]] of Object.entries(wrong))
    it(name, () =>
      onMachine(async machine => {
        const { exitCode, stderr } = await init(machine, ...args)
        expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(words) })
      }),
    )

  it('an agent is found by its program too; outside of a project everything is the person’s own', () =>
    onMachine(async machine => {
      machine.put('bin/claude', '#!/bin/sh\n', 0o755)
      const env = { PATH: `${join(machine.home, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin` }
      const { exitCode } = await machine.run(['init', '--yes'], { env, cwd: machine.home })
      expect(exitCode).toBe(0)
      const own = '.config/signalbox/signalbox.yaml'
      expect(machine.read(own)).toContain('tests-before-commit')
      const texts = ['.claude/CLAUDE.md', '.claude/agents/router.md']
      expect(texts.filter(machine.has), 'nothing of a pack that is off').toEqual([])
      machine.put(own, machine.read(own).replace('# - router', '- router'))
      await machine.run(['init', '--yes'], { env, cwd: machine.home })
      expect(['.claude/settings.json', ...texts].filter(file => !machine.has(file))).toEqual([])
      expect(machine.has('signalbox.yaml')).toBe(false)
      const nowhere = await machine.run(['init', '--yes', '--scope', 'project'], { env, cwd: machine.home })
      expect(nowhere).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('this folder is not a project') })
    }))

  it('a folder that is moved by a variable', () =>
    onMachine(async machine => {
      const env = { CLAUDE_CONFIG_DIR: join(machine.home, 'elsewhere') }
      await machine.run(['init', '--yes', '--client', 'claude-code'], { env })
      expect(machine.has('elsewhere/settings.json')).toBe(true)
      expect(machine.has('.claude')).toBe(false)
    }))
})

it('several at once: each hook once, and every byte comes back', () =>
  onMachine(async machine => {
    machine.put('.claude/settings.json', SETTINGS)
    machine.put('.gemini/settings.json', '{}')
    const before = machine.tree()
    const all = await Promise.all([1, 2, 3].map(() => init(machine)))
    expect(all.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      all.map(() => ({ exitCode: 0, stderr: '' })),
    )
    expect(machine.json('.gemini/settings.json').hooks.BeforeTool).toHaveLength(1)
    expect(machine.read('.claude/settings.json').match(/hook --client/g)).toHaveLength(11)
    await Promise.all([1, 2].map(() => uninstall(machine)))
    expect(machine.tree()).toEqual(before)
  }))

describe('for everybody who works on the project', () => {
  it('no file names this machine; it works for a teammate, elsewhere, from a folder inside, without the right to be run', () =>
    onMachine(async machine => {
      await init(machine, ...clientSettings.flatMap(({ id }) => ['--client', id]), '--scope', 'project')
      const texts = Object.entries(machine.tree()).filter(([path]) => path.startsWith('my shop/'))
      for (const [path, told] of texts) {
        const text = Buffer.from(told.split(' ')[1] ?? '', 'base64').toString('utf8')
        expect(text, path).not.toContain(machine.folder)
        expect(text, path).not.toContain(process.execPath)
      }
      const line = lineIn(machine.json('my shop/.claude/settings.json'), 'PreToolUse')
      // a teammate has not run it
      rmSync(join(machine.home, '.local'), { recursive: true })
      const missing = await machine.shell(line, { input: CALL })
      expect(missing).toEqual({
        exitCode: 0,
        stdout: expect.stringContaining(
          '"systemMessage":"signalbox: allowed without a check: this project uses Signalbox',
        ),
        stderr: expect.stringContaining('install it (see its README) and run signalbox init'),
      })
      expect((await machine.shell(`${line} --on-error closed`, { input: CALL })).exitCode).toBe(2)
      const moved = join(machine.home, "the team's shop")
      renameSync(machine.project, moved)
      mkdirSync(join(moved, 'src/deep'), { recursive: true })
      const hook = join(moved, '.signalbox/hook')
      expect(statSync(hook).mode & 0o111).toBe(0o111)
      renameSync(hook, `${hook}.x`)
      machine.put("the team's shop/.signalbox/hook", readFileSync(`${hook}.x`))
      machine.put(
        'bin/signalbox',
        `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, '../../bin/signalbox.cjs')}' "$@"\n`,
        0o755,
      )
      const env = { PATH: `${join(machine.home, 'bin')}:/usr/bin:/bin` }
      const asTold = await machine.shell(line, { input: CALL, cwd: join(moved, 'src/deep'), env })
      expect(asTold.stdout).toContain('"permissionDecision":"deny"')
      const named = await machine.shell(line, { input: CALL, cwd: '/', env: { ...env, CLAUDE_PROJECT_DIR: moved } })
      expect(named.stdout).toContain('"permissionDecision":"deny"')
      const elsewhere = await machine.shell(line, { input: CALL, cwd: '/', env })
      expect(elsewhere).toMatchObject({
        exitCode: 0,
        stdout: '',
        stderr: 'signalbox: there is no .signalbox/hook in this project\n',
      })
    }))
})

it('is as the guide shows it', () =>
  onMachine(async machine => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/installing.md'), 'utf8')
    const [, shown = ''] = /```text\n\$ signalbox init\n([\s\S]*?)```/.exec(guide) ?? []
    const hook = { type: 'command', command: 'guard.sh' }
    machine.put('.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: [hook, hook, hook] }] } }))
    mkdirSync(join(machine.home, '.gemini'))
    const { stdout } = await init(machine)
    expect(stdout.replace(/in \d+ ms/g, 'in 9 ms').replace(/9 ms {2,}/g, '9 ms  ')).toBe(
      shown.replace(/^Apply\?.*\n/m, ''),
    )
  }))
