import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Record } from '../core/index.ts'
import { isObject } from '../pattern/index.ts'
import { SqliteStore } from '../store/index.ts'
import { HOME } from './project.ts'

/** One event and what came of it. */
export interface Played {
  readonly event: string
  readonly caller: string
  readonly what: string
  readonly decision: string
  readonly reason: string
  readonly moves: readonly string[]
  readonly ms: number
}

/** A throw-away project with the demo's policy, and the hook called in it just as an agent would. */
export class Stage {
  private readonly project: string
  private readonly home: string

  constructor(
    folder: string,
    private readonly env: Readonly<{ [name: string]: string | undefined }>,
  ) {
    this.project = join(folder, 'project')
    this.home = join(folder, 'home')
    mkdirSync(join(this.project, '.git'), { recursive: true })
    mkdirSync(this.home)
    copyFileSync(join(HOME, 'demo/signalbox.yaml'), join(this.project, 'signalbox.yaml'))
  }

  async play(payload: { readonly [key: string]: unknown }): Promise<Played> {
    const began = performance.now()
    const input = JSON.stringify(payload).replaceAll('/home/dev/proj', this.project)
    await this.hook(input)
    return { ...tell(this.lastRecord()), what: whatOf(payload), ms: Math.round(performance.now() - began) }
  }

  private hook(input: string): Promise<void> {
    const env = { ...this.env, SIGNALBOX_HOME: this.home, CLAUDE_PROJECT_DIR: this.project }
    const args = [join(HOME, 'bin/signalbox.mjs'), 'hook', '--client', 'claude-code']
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, { cwd: this.project, env, stdio: ['pipe', 'ignore', 'pipe'] })
      let complaint = ''
      child.stderr.on('data', chunk => {
        complaint += chunk
      })
      child.on('error', reject)
      child.on('close', code =>
        complaint === '' ? resolve() : reject(new Error(`the hook exited ${code}: ${complaint.trim()}`)),
      )
      child.stdin.end(input)
    })
  }

  private lastRecord(): Record {
    const store = new SqliteStore(join(this.home, 'state'))
    try {
      const [last] = store.records({ last: 1 })
      if (!last) throw new Error('the hook recorded nothing')
      return last.record
    } finally {
      store.close()
    }
  }
}

function tell({ event, caller, decision, reason = '', moves, notes }: Record): Omit<Played, 'what' | 'ms'> {
  const moved = moves.map(({ gate, to }) => `${gate.replace(/^.*\//, '')} is now ${to}`)
  return { event, caller, decision, reason, moves: [...moved, ...notes] }
}

/** The call as the agent made it: the tool and the one thing in its input a person would ask for. */
function whatOf({ tool_name, tool_input, prompt }: { readonly [key: string]: unknown }): string {
  if (!isObject(tool_input)) return String(prompt ?? '')
  const object = ['command', 'file_path', 'url', 'subagent_type'].map(field => tool_input[field]).find(Boolean)
  return `${tool_name} ${object ?? ''}`.replaceAll('/home/dev/proj/', '')
}
