import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import about from '../package.json' with { type: 'json' }
import { clientById } from '../src/clients/index.ts'
import { clientSettingsById } from '../src/clients/settings.ts'
import { BIN, type Ran, type Sandbox, withSandbox } from './support/sandbox.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

interface Form {
  readonly id: string
  readonly manifest: string
  /** the plugin's own folder, as the client names it in a command */
  readonly folder: string
  readonly before: string
  readonly other: string
  readonly shell: string
}
const FORMS: readonly Form[] = [
  {
    id: 'claude-code',
    manifest: '.claude-plugin/plugin.json',
    folder: 'CLAUDE_PLUGIN_ROOT',
    before: 'PreToolUse',
    other: 'Stop',
    shell: 'Bash',
  },
  {
    id: 'gemini-cli',
    manifest: 'gemini-extension.json',
    folder: 'extensionPath',
    before: 'BeforeTool',
    other: 'AfterAgent',
    shell: 'run_shell_command',
  },
]
const commandsOf = (id: string): readonly (readonly [event: string, command: string])[] =>
  Object.entries<{ hooks: { command: string }[] }[]>(read(`plugins/${id}/hooks/hooks.json`).hooks).flatMap(
    ([event, groups]) => groups.flatMap(({ hooks }) => hooks.map(({ command }) => [event, command] as const)),
  )

describe.each(FORMS)('the plugin of $id', ({ id, manifest, folder }) => {
  it('is of this version, and in the package', () => {
    expect(read(`plugins/${id}/${manifest}`)).toMatchObject({ name: 'signalbox', version: about.version })
    expect(about.files).toEqual(expect.arrayContaining(['plugins', '.claude-plugin']))
  })

  it('registers the events that `init` does, in the same shape', () => {
    const hook = clientSettingsById(id)?.hook
    const entries = hook?.kind === 'settings' ? hook.entries({ line: 'x', words: [], timeoutMs: 60_000 }) : []
    const item = JSON.stringify(entries.map(entry => entry.item)).replaceAll('"x ', '"')
    const own = JSON.stringify(Object.values(read(`plugins/${id}/hooks/hooks.json`).hooks).flat())
    expect(own.replaceAll(/"\[ -f .*?hook\\" --client/g, '"--client')).toBe(item)
    expect(commandsOf(id).map(([event]) => event)).toEqual(entries.map(entry => entry.path.at(-1)))
  })

  it('runs only what it brings, wherever it is', () => {
    for (const [, command] of commandsOf(id)) {
      const files = [...command.matchAll(/"\$\{(\w+)\}\/([^"]*)"/g)]
      expect(files.map(([, name]) => name)).toEqual([folder, folder])
      for (const [, , file = ''] of files) expect(existsSync(join(ROOT, 'plugins', id, file))).toBe(true)
      expect(command).not.toMatch(/\/(?:home|root|usr)\b/)
    }
  })
})

it('the marketplace names the plugin, as it is', () => {
  const { name, plugins } = read('.claude-plugin/marketplace.json')
  expect(name).toBe('signalbox')
  expect(plugins).toHaveLength(1)
  const [{ source, version }] = plugins
  expect({ version, found: existsSync(join(ROOT, source, '.claude-plugin/plugin.json')) }).toEqual({
    version: about.version,
    found: true,
  })
})

/** The plugin as its client keeps it: a copy somewhere else, in a folder with a name of the world. */
class Installed {
  readonly folder: string
  readonly home: string
  readonly programs: string

  constructor(
    readonly sandbox: Sandbox,
    readonly form: Form,
  ) {
    this.folder = join(sandbox.folder, "köpie's $1", 'signalbox')
    this.home = join(sandbox.folder, 'a home')
    this.programs = join(sandbox.folder, 'bin')
    cpSync(join(ROOT, 'plugins', form.id), this.folder, { recursive: true })
    // what a shell script needs, and no Node
    mkdirSync(this.programs)
    for (const name of ['sh', 'cat', 'cut', 'dirname', 'sha256sum'])
      symlinkSync(whereIs(name), join(this.programs, name))
  }

  program(path: string, line: string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `#!/bin/sh\n${line}\n`)
    chmodSync(path, 0o755)
  }

  /** As the client starts it. */
  run(
    event: string,
    { args = '', env = {} }: { args?: string; env?: Readonly<Record<string, string>> } = {},
  ): Promise<Ran> {
    const [, command = ''] = commandsOf(this.form.id).find(([name]) => name === event) ?? []
    const { folder, project } = { folder: this.folder, project: this.sandbox.project }
    const own = { PATH: this.programs, HOME: this.home, CLAUDE_PLUGIN_ROOT: folder, extensionPath: folder, ...env }
    const child = spawn('/bin/sh', ['-c', `${command}${args}`], { cwd: project, env: own })
    const ran = { stdout: '', stderr: '' }
    child.stdout.on('data', chunk => {
      ran.stdout += chunk
    })
    child.stderr.on('data', chunk => {
      ran.stderr += chunk
    })
    child.stdin.on('error', () => {})
    const call = { tool_name: this.form.shell, tool_input: { command: 'git push' }, tool_use_id: 't' }
    const base = { session_id: 's', cwd: project, hook_event_name: event, timestamp: '2026-11-15T08:26:27.696Z' }
    child.stdin.end(JSON.stringify(event === this.form.before ? { ...base, ...call } : base))
    return new Promise(done => child.on('close', exitCode => done({ exitCode, ...ran })))
  }
}

const whereIs = (name: string): string =>
  ['/usr/bin', '/bin', '/usr/local/bin'].map(folder => join(folder, name)).find(existsSync) ?? `/bin/${name}`

describe.each(FORMS)('what the plugin of $id runs', form => {
  const { id, before } = form
  const installed = (work: (one: Installed) => Promise<void>, project = '') =>
    withSandbox({ project }, sandbox => work(new Installed(sandbox, form)))
  const wanted = `hook --client ${id} --via plugin\n`

  it('is the copy of one’s own, before all others', () =>
    installed(async one => {
      one.program(join(one.home, '.local/share/signalbox/bin/signalbox'), 'echo own "$@"')
      one.program(join(one.programs, 'signalbox'), 'echo path "$@"')
      expect((await one.run(before)).stdout).toBe(`own ${wanted}`)
      one.program(join(one.sandbox.folder, 'data/signalbox/bin/signalbox'), 'echo moved "$@"')
      expect((await one.run(before, { env: { XDG_DATA_HOME: join(one.sandbox.folder, 'data') } })).stdout).toBe(
        `moved ${wanted}`,
      )
      expect((await one.run(before, { env: { XDG_DATA_HOME: 'relative' } })).stdout).toBe(`own ${wanted}`)
    }))

  it('is the package it lies in, where it was not copied', () =>
    installed(async one => {
      const place = join(one.folder, '../..')
      mkdirSync(join(place, 'dist'))
      writeFileSync(join(place, 'dist/entry.cjs'), '')
      one.program(join(one.programs, 'node'), 'shift; echo node "$@"')
      one.program(join(one.programs, 'signalbox'), 'echo path "$@"')
      expect((await one.run(before)).stdout).toBe(`node ${wanted}`)
    }))

  it('is the one on the PATH', () =>
    installed(async one => {
      one.program(join(one.programs, 'signalbox'), 'echo path "$@"')
      expect((await one.run(before)).stdout).toBe(`path ${wanted}`)
    }))

  it('is never the project’s own, which nobody may trust yet', () =>
    installed(async one => {
      one.program(join(one.sandbox.project, 'node_modules/.bin/signalbox'), 'echo project "$@"')
      expect((await one.run(before)).stdout).not.toContain('project')
    }))

  it('judges: the real program refuses through it', () =>
    installed(async one => {
      one.program(join(one.programs, 'signalbox'), `exec '${process.execPath}' '${BIN}' "$@"`)
      const { stdout } = await one.run(before, { env: { SIGNALBOX_HOME: one.sandbox.home } })
      expect(stdout).toContain('Push later.')
      expect(JSON.parse(stdout).decision ?? JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
      expect(one.sandbox.records()).toHaveLength(1)
    }, 'gates: { g: { rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Push later. }] } }'))
})

describe.each(FORMS)('without any program, the plugin of $id', form => {
  const { id, before, other } = form
  const alone = (work: (one: Installed) => Promise<void>) =>
    withSandbox({}, sandbox => work(new Installed(sandbox, form)))
  const LINE =
    /^signalbox: Signalbox is not installed on this machine: install it \(see its README\) and run `signalbox init`\.\n$/

  it('lets pass, and says so to the person', () =>
    alone(async one => {
      const ran = await one.run(before)
      expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(LINE) })
      expect(JSON.parse(ran.stdout)).toEqual({
        systemMessage: expect.stringMatching(/allowed without a check: .*see its README/),
      })
      const start = await one.run('SessionStart')
      expect(JSON.parse(start.stdout)).toEqual({ systemMessage: expect.stringContaining('nothing is judged') })
      expect(await one.run(other)).toEqual({ exitCode: 0, stdout: '', stderr: expect.stringMatching(LINE) })
    }))

  it.each([
    ['the command line', ' --on-error closed', ''],
    ['the command line, in one word', ' --on-error=closed', ''],
    ['the policy of the project', '', '.'],
    ['the policy of a folder around it', '', '..'],
  ])('refuses a call where %s says so, and nothing else', (_, args, folder) =>
    alone(async one => {
      if (folder) {
        const hash = await sha(resolve(one.sandbox.project, folder))
        mkdirSync(join(one.sandbox.home, 'state/posture'), { recursive: true })
        writeFileSync(join(one.sandbox.home, 'state/posture', hash), 'closed\n[]\n')
      }
      const env = { SIGNALBOX_HOME: one.sandbox.home }
      const name = before
      const expected = clientById(id)?.failure('closed', { name }, '{why}')
      const ran = await one.run(before, { args, env })
      expect(ran).toMatchObject({ exitCode: expected?.exitCode, stdout: '' })
      expect(ran.stderr).toMatch(
        /^signalbox: this call could not be evaluated, so the policy denies it: .*see its README.* Tell the user/,
      )
      expect(await one.run(other, { args, env })).toMatchObject({ exitCode: 0, stdout: '' })
    }),
  )

  it('refuses what may be a call where a policy that nobody has read yet says so', () =>
    alone(async one => {
      const env = { SIGNALBOX_HOME: one.sandbox.home }
      const codeOf = async (name: string) => (await one.run(name, { env })).exitCode
      writeFileSync(join(one.sandbox.project, 'signalbox.yaml'), 'settings: { onError: open }\n# onError: closed\n')
      expect([await codeOf(before), await codeOf('')]).toEqual([0, 0])
      writeFileSync(join(one.sandbox.project, 'signalbox.yaml'), 'settings: { "onError": "closed" }\n')
      expect([await codeOf(before), await codeOf(other)]).toEqual([2, 0])
    }))

  it('that was taken away in the middle of a session refuses nothing', () =>
    alone(async one => {
      const elsewhere = { CLAUDE_PLUGIN_ROOT: '/nowhere', extensionPath: '/nowhere' }
      expect(await one.run(before, { env: elsewhere })).toEqual({ exitCode: 127, stdout: '', stderr: '' })
    }))
})

/** As `bin/signalbox.cjs` names it. */
async function sha(folder: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(folder).digest('hex').slice(0, 16)
}
