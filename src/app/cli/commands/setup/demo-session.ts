import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EventRecord } from '../../../../engine/index.ts'
import { isObject } from '../../../../lib/json.ts'
import { PROGRAM_FOLDER } from '../../../../lib/program-folder.ts'
import { SqliteStore } from '../../../../store/index.ts'

/** One event and its result. */
export interface DemoEvent {
  readonly event: string
  readonly caller: string
  readonly what: string
  readonly decision: string
  readonly reason: string
  readonly moves: readonly string[]
  readonly ms: number
}

/** A temporary project with the demo's policy. Calls the hook exactly as an agent does. */
export class DemoSession {
  private readonly project: string
  private readonly home: string
  /** records read so far */
  private printed = 0

  constructor(
    folder: string,
    private readonly env: Readonly<{ [name: string]: string | undefined }>,
    policy = 'signalbox.yaml',
  ) {
    this.project = join(folder, 'project')
    this.home = join(folder, 'home')
    mkdirSync(join(this.project, '.git'), { recursive: true })
    mkdirSync(this.home)
    copyFileSync(join(PROGRAM_FOLDER, 'demo', policy), join(this.project, 'signalbox.yaml'))
  }

  /** One payload may be two events: the last call of an agent, and its stop. */
  async play(client: string, payload: { readonly [key: string]: unknown }): Promise<readonly DemoEvent[]> {
    const began = performance.now()
    const input = JSON.stringify(payload).replaceAll('/home/dev/proj', this.project)
    await this.hook(client, input)
    const ms = Math.round(performance.now() - began)
    const records = this.newRecords().filter(({ event }) => event !== 'other')
    return records.map(record => ({
      ...toDemoEvent(record),
      what: record.event === 'agent.stop' ? '' : describeCall(payload),
      ms,
    }))
  }

  private hook(client: string, input: string): Promise<void> {
    const env = { ...this.env, SIGNALBOX_HOME: this.home, CLAUDE_PROJECT_DIR: this.project }
    const args = [join(PROGRAM_FOLDER, 'bin/signalbox.cjs'), 'hook', '--client', client]
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

  /** Records written since the last call. */
  private newRecords(): readonly EventRecord[] {
    const store = new SqliteStore(join(this.home, 'state'))
    try {
      const all = store.records({ last: 10_000 }).map(record => record.record)
      const fresh = all.slice(this.printed)
      this.printed = all.length
      return fresh
    } finally {
      store.close()
    }
  }
}

function toDemoEvent({
  event,
  caller,
  decision,
  reason = '',
  moves,
  notes,
}: EventRecord): Omit<DemoEvent, 'what' | 'ms'> {
  const moved = moves.map(({ gate, to }) => `${gate.replace(/^.*\//, '')} is now ${to}`)
  return { event, caller, decision, reason, moves: [...moved, ...notes.map(adaptNote)] }
}

/** The call as the agent made it: the tool and the main field of its input. */
function describeCall({ tool_name, tool_input, prompt }: { readonly [key: string]: unknown }): string {
  if (!isObject(tool_input)) return String(prompt ?? '')
  const fields = ['command', 'file_path', 'url', 'subagent_type', 'agent_name', 'prompt']
  const object = fields.map(field => tool_input[field]).find(Boolean)
  return `${tool_name} ${object ?? ''}`.replaceAll('/home/dev/proj/', '')
}

/** Nothing was denied when the session was recorded. */
const adaptNote = (note: string): string =>
  note === 'ran although denied' ? 'it ran in the recording, which had no policy' : note
