import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/app/install/apply-changes.ts'
import {
  applyInstallPlan,
  applyUninstallPlan,
  type InstallPaths,
  planInstall,
  planUninstall,
  readManifest,
  runCanary,
} from '../../src/app/install/index.ts'
import { clients } from '../../src/clients/index.ts'
import { isBuilt } from '../support/native/hook.ts'
import { BIN } from '../support/sandbox.ts'
import { CALL, lineIn, type Machine, onMachine } from './machine.ts'

const ROOT = join(BIN, '../..')
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const PYTHON = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim()

/** The newest Node, where `npm run test:newest` has brought it. */
const NEWEST = join(
  homedir(),
  `.cache/signalbox/node-26.10.0/node_modules/node-${process.platform}-${process.arch}/bin/node`,
)

describe('another user', () => {
  it.runIf(isRoot)('gets a copy and files of their own; what cannot be written changes nothing', () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', '{"model":"opus"}')
      machine.put('.gemini/settings.json', '{}')
      const bin = machine.unpack('global')
      spawnSync('chmod', ['-R', 'a+rX', join(machine.folder, 'global')])
      machine.giveTo(NOBODY)
      const before = machine.tree()
      // the last of the files that are written
      chmodSync(join(machine.home, '.gemini'), 0o555)
      const failed = await machine.run(['init', '--yes'], { bin, uid: NOBODY })
      expect(failed.exitCode).toBe(2)
      expect(failed.stderr).toMatch(/\.gemini\/settings\.json cannot be written \(EACCES\), so nothing was changed\n$/)
      chmodSync(join(machine.home, '.gemini'), 0o755)
      expect(machine.tree()).toEqual(before)
      const made = await machine.run(['init', '--yes'], { bin, uid: NOBODY })
      expect(made).toMatchObject({ exitCode: 0, stderr: '' })
      expect(made.stdout.match(/test call denied in \d+ ms/g)).toHaveLength(2)
      expect(made.stdout.match(/ {2}(ENFORCING$|UNVERIFIED {2}it will ask)/gm)).toHaveLength(2)
      const managed = await machine.run(['init', '--yes', '--scope', 'managed'], { bin, uid: NOBODY })
      expect(managed.exitCode).toBe(2)
      expect(managed.stderr).toMatch(
        /\/usr\/local\/lib\/signalbox cannot be written \(EACCES\).*must be run as root\n$/,
      )
      await machine.run(['uninstall', '--yes'], { bin, uid: NOBODY })
      expect(machine.tree()).toEqual(before)
    }),
  )

  it.runIf(isRoot)("root writing for a person leaves the person's files theirs", () =>
    onMachine(async machine => {
      machine.put('.claude/settings.json', '{}')
      machine.giveTo(NOBODY)
      await machine.run(['init', '--yes'])
      const find = spawnSync('find', [join(machine.home, '.claude'), machine.project, '-not', '-user', String(NOBODY)])
      expect(String(find.stdout)).toBe('')
    }),
  )
})

it.runIf(existsSync(NEWEST))('a second Node: the copy made by one runs with the other', () =>
  onMachine(async machine => {
    const made = await machine.run(['init', '--yes', '--client', 'claude-code'], { node: NEWEST })
    expect(made).toMatchObject({ exitCode: 0, stderr: '' })
    expect(machine.read(machine.launcher)).toContain(NEWEST)
    const tree = machine.tree()
    const again = await machine.run(['init', '--yes', '--client', 'claude-code'])
    expect(again.stdout).toMatch(/Nothing to change\.\n$/)
    expect(machine.tree()).toEqual(tree)
    const launcher = machine.read(machine.launcher).replace(NEWEST, '/gone/node')
    machine.put(machine.launcher, launcher)
    const line = lineIn(machine.json('.claude/settings.json'), 'PreToolUse')
    expect((await machine.shell(line, { input: CALL })).stdout).toContain('"permissionDecision":"deny"')
  }),
)

describe('no program to answer', () => {
  const lineOf = async (machine: Machine) => {
    await machine.run(['init', '--yes', '--client', 'claude-code'])
    return lineIn(machine.json('.claude/settings.json'), 'PreToolUse')
  }
  const stop = JSON.stringify({ hook_event_name: 'Stop', session_id: 's' })

  it('no Node: open passes with a word, closed refuses calls and nothing else', () =>
    onMachine(async machine => {
      const line = await lineOf(machine)
      const launcher = machine.read(machine.launcher).replace(/\nnode=.*/, '\nnode=/gone')
      // where Node may be on the machine that runs this, too
      machine.put(machine.launcher, launcher.replace(/ \/opt\/homebrew.*node;/, ';'))
      for (const name of ['sh', 'cat', 'sed']) machine.put(`bin/${name}`, `#!/bin/sh\nexec /bin/${name} "$@"\n`, 0o755)
      const env = { PATH: join(machine.home, 'bin') }
      const open = await machine.shell(line, { input: CALL, env })
      expect(open).toMatchObject({ exitCode: 0, stderr: 'signalbox: Node 20 or later was not found; install it\n' })
      expect(JSON.parse(open.stdout).systemMessage).toContain('allowed without a check: Node 20 or later was not found')
      expect(await machine.shell(`${line} --on-error closed`, { input: CALL, env })).toMatchObject({
        exitCode: 2,
        stdout: '',
      })
      expect(await machine.shell(`${line} --on-error=closed`, { input: stop, env })).toMatchObject({ exitCode: 0 })
      for (const unread of ['', 'no json', '{"tool_name":"Bash"'])
        expect((await machine.shell(`${line} --on-error closed`, { input: unread, env })).exitCode).toBe(2)
      const asked = CALL.replace('PreToolUse', 'PermissionRequest')
      const told = await machine.shell(`${line} --on-error closed`, { input: asked, env })
      expect(JSON.parse(told.stdout).hookSpecificOutput.decision.behavior).toBe('deny')
      const policy = machine.put('.config/signalbox/signalbox.yaml', 'settings:\n  onError: closed\n')
      expect((await machine.shell(line, { input: CALL, env })).exitCode).toBe(2)
      expect((await machine.shell(line, { input: stop, env })).exitCode).toBe(0)
      rmSync(policy)
      const old = machine.put('old/node', '#!/bin/sh\nexit 1\n', 0o755)
      expect(
        (await machine.shell(line, { input: CALL, env: { PATH: `${join(old, '..')}:${env.PATH}` } })).stderr,
      ).toContain('Node 20 or later was not found')
    }))

  it('the copy is gone', () =>
    onMachine(async machine => {
      const line = await lineOf(machine)
      rmSync(join(machine.home, '.local/share/signalbox/current'))
      const { exitCode, stderr } = await machine.shell(line, { input: CALL })
      expect({ exitCode, stderr }).toEqual({
        exitCode: 0,
        stderr: 'signalbox: the program files are missing; install Signalbox again and run signalbox init\n',
      })
      expect(await machine.shell(line.replace(/ hook .*/, ' status'))).toMatchObject({ exitCode: 2 })
      // and init puts it back
      await machine.run(['init', '--yes', '--client', 'claude-code'])
      expect((await machine.shell(line, { input: CALL })).stdout).toContain('deny')
    }))
})

it('what was begun is taken back when one of it cannot be written', () =>
  onMachine(async machine => {
    machine.put('a.json', '{}', 0o600)
    const before = machine.tree()
    const change = (file: string, was: Buffer | null) =>
      ({ file, real: file, before: was, after: Buffer.from('new'), scope: 'user', kind: 'hooks', what: '' }) as const
    const here = (path: string) => join(machine.home, path)
    const changes = [change(here('a.json'), Buffer.from('{}')), change(here('new/deep/b.json'), null)]
    expect(() => applyChanges([...changes, change('/proc/none/c.json', null)])).toThrow(
      '/proc/none/c.json cannot be written',
    )
    expect(machine.tree()).toEqual(before)
    expect(() => applyChanges([...changes, change(here('a.json'), null)])).toThrow('a.json was changed in the meantime')
    expect(machine.tree()).toEqual(before)
    applyChanges(changes)()
    expect(machine.tree()).toEqual(before)
  }))

it('for the whole machine: managed files, a copy that is nobody’s own, and back', () =>
  onMachine(async machine => {
    const root = join(machine.home, 'root')
    mkdirSync(root)
    const place: InstallPaths = {
      env: machine.env(),
      home: machine.home,
      cwd: machine.project,
      project: machine.project,
      state: join(machine.home, '.local/state/signalbox'),
      data: join(machine.home, '.local/share/signalbox'),
      userPolicy: join(machine.home, '.config/signalbox/signalbox.yaml'),
      managedPolicy: '/etc/signalbox/signalbox.yaml',
      program: ROOT,
      version: '0.1.0',
      node: process.execPath,
      root,
    }
    const managed = clients.filter(({ id }) =>
      ['claude-code', 'gemini-cli', 'qwen-code', 'cursor', 'copilot-cli'].includes(id),
    )
    const before = machine.tree()
    const plan = planInstall({ clients: managed, scope: 'managed' }, place, readManifest(place.state))
    expect(plan.problems).toEqual([])
    expect(plan.changes.map(({ file }) => file.slice(root.length))).toEqual([
      ...(isBuilt ? ['/usr/local/lib/signalbox/bin/signalbox.sh'] : []),
      '/usr/local/lib/signalbox/bin/signalbox',
      '/etc/claude-code/managed-settings.json',
      '/etc/github-copilot/policy.d/signalbox.json',
      '/etc/cursor/hooks.json',
      '/etc/gemini-cli/settings.json',
      '/etc/qwen-code/settings.json',
      '/etc/signalbox/signalbox.yaml',
    ])
    applyInstallPlan(plan, place)
    for (const client of managed) expect(await runCanary(client, 'managed', place)).toMatchObject({ denied: true })
    applyUninstallPlan(planUninstall(place, readManifest(place.state), ['managed']), place)
    expect(machine.tree()).toEqual(before)
  }))

/** A terminal that types what it is told when it is asked. */
const TYPES = `
import os, pty, sys, time, json
answers = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = ''
while True:
    try:
        got = os.read(fd, 4096).decode(errors='replace')
    except OSError:
        break
    if not got: break
    seen += got
    while answers and answers[0][0] in seen:
        os.write(fd, (answers[0][1] + '\\n').encode())
        seen = seen.split(answers[0][0], 1)[1]
        answers.pop(0)
    sys.stdout.write(got)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

describe.runIf(PYTHON)('in a terminal', () => {
  const typed = async (
    machine: Machine,
    args: readonly string[],
    answers: readonly [string, string][],
    columns = 80,
  ) => {
    const script = join(machine.folder, 'types.py')
    writeFileSync(script, TYPES)
    const words = [PYTHON ?? '', script, JSON.stringify(answers), process.execPath, BIN, ...args]
    const line = words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    const ran = await machine.shell(`stty cols ${columns} 2>/dev/null; ${line}`, { env: { COLUMNS: String(columns) } })
    return { ...ran, stdout: ran.stdout.replaceAll('\r\n', '\n') }
  }

  it('shows the plan, the diff when asked, and does it only after a yes', () =>
    onMachine(async machine => {
      machine.put('.gemini/settings.json', '{\n  "theme": "x"\n}\n')
      const before = machine.tree()
      const no = await typed(machine, ['init'], [['Apply? [y/N/d = diff] ', '']])
      expect(no).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('Nothing was changed.') })
      expect(machine.tree()).toEqual(before)
      const left = await typed(machine, ['init'], [['Apply? [y/N/d = diff] ', '\u0003']])
      expect(left).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('\nNothing was changed.') })
      expect(machine.tree()).toEqual(before)
      const yes = await typed(
        machine,
        ['init'],
        [
          ['Apply? [y/N/d = diff] ', 'j'],
          ['Apply? [y/N/d = diff] ', 'd'],
          ['Apply? [y/N/d = diff] ', 'y'],
        ],
      )
      expect(yes.exitCode).toBe(0)
      expect(yes.stdout).toContain('+   "hooks": {\n')
      expect(yes.stdout).toMatch(
        /Test {3}Gemini CLI {2}test call denied in \d+ ms {2}UNVERIFIED {2}it will ask\s+whether\s+you/,
      )
      const kept = await typed(machine, ['uninstall'], [['Remove it? [y/N] ', 'n']])
      expect(kept).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('Nothing was changed.') })
      const back = await typed(machine, ['uninstall'], [['Remove it? [y/N] ', 'y']])
      expect(back.exitCode).toBe(0)
      expect(machine.tree()).toEqual(before)
    }))

  it('no line of it is wider than eighty columns', () =>
    onMachine(async machine => {
      for (const id of ['.claude', '.codex', '.gemini']) mkdirSync(join(machine.home, id))
      const { stdout } = await typed(machine, ['init'], [['Apply? [y/N/d = diff] ', 'y']])
      // progress is written over
      const seen = stdout.split('\n').map(line => line.slice(line.lastIndexOf('\u001b[K') + 1))
      expect(seen.filter(line => line.length > 80)).toEqual([])
    }))
})
