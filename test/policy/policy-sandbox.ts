import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import * as compiler from '../../src/policy/compile/compiler.ts'
import { formatErrorLine, type LoadedPolicy, loadPolicy, type PolicyInput } from '../../src/policy/index.ts'

const PACKS = fileURLToPath(new URL('./fixtures/packs', import.meta.url))

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A regex engine that is good enough for tests. */
const compile = (pattern: string): RegExp => new RegExp(pattern.replace(/\(\?i\)/g, '').replaceAll('(?P<', '(?<'), 'i')

/** A project, a user's folder and a managed file in a folder of their own. */
export class House {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-policy-'))
  readonly root = join(this.folder, 'project')
  readonly home = join(this.folder, 'home')
  readonly stateDir = join(this.folder, 'state')
  readonly userFile = join(this.home, '.config/signalbox/signalbox.yaml')
  readonly managedFile = join(this.folder, 'etc/signalbox.yaml')
  commands: readonly string[] = ['gh']
  env: Readonly<Record<string, string>> = {}
  compilations = 0

  constructor() {
    made.push(this.folder)
    mkdirSync(this.root, { recursive: true })
    mkdirSync(this.home, { recursive: true })
  }

  write(name: string, text: string): string {
    const file = name.startsWith('/') ? name : join(this.root, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }

  project = (text: string): string => this.write('signalbox.yaml', text)
  user = (text: string): string => this.write(this.userFile, text)
  managed = (text: string): string => this.write(this.managedFile, text)
  unreadable = (file: string): void => chmodSync(file, 0o000)

  input(more: Partial<PolicyInput> = {}): PolicyInput {
    return {
      root: this.root,
      cwd: this.root,
      home: this.home,
      stateDir: this.stateDir,
      userFile: this.userFile,
      managedFile: this.managedFile,
      builtInFile: join(this.folder, 'built-in.yaml'),
      packsDir: PACKS,
      sets: { secrets: ['.env', '~/.ssh/'], 'bypass-env': ['CLAUDE_ROUTER_BYPASS'], project: ['/project/'] },
      clients: [
        {
          id: 'agent',
          backend: 'codex',
          spawns: { tool: 'Agent', field: 'subagent_type' },
          title: 'Agent',
          eventNames: new Map([['AfterCall', 'tool.after']]),
          reportsExit: true,
          refuses: ['tool.before', 'prompt.submit', 'turn.stop', 'agent.stop', 'tool.after', 'tool.failed'],
          textEvents: ['tool.before', 'prompt.submit', 'turn.stop', 'agent.stop', 'tool.after', 'tool.failed'],
        },
      ],
      toolNames: {
        run_shell_command: 'Bash',
        apply_patch: 'ApplyPatch',
        web_fetch: 'WebFetch',
        read_file: 'Read',
        Task: 'Agent',
      },
      checkRegex(pattern) {
        try {
          compile(pattern)
          return null
        } catch {
          return 'bad pattern'
        }
      },
      hasCommand: name => this.commands.includes(name),
      env: name => this.env[name],
      regex: {
        search(pattern, text) {
          const found = compile(pattern).exec(text)
          return found ? { text: found[0], groups: { ...found.groups } } : null
        },
      },
      version: '0.0.0-test',
      ...more,
    }
  }

  load(more: Partial<PolicyInput> = {}): LoadedPolicy {
    return loadPolicy(this.input(more), () => {
      this.compilations++
      return compiler
    })
  }

  /** Paths as a person in the project would write them. */
  label = (file: string): string =>
    file.replace(`${this.root}/`, '').replace(`${PACKS}/`, 'packs/').replace(this.folder, '')

  /** `signalbox.yaml:3:5 message; help` of every problem of the project's policy. */
  problems(text: string): readonly string[] {
    this.project(text)
    return this.load().problems.map(problem => formatErrorLine(problem, this.label))
  }

  warnings(): readonly string[] {
    return this.load().warnings.map(problem => formatErrorLine(problem, this.label))
  }
}
