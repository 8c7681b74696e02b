import { vi } from 'vitest'
import type { InProcessSandbox } from '../support/in-process-sandbox.ts'

/** An event in the short form of policy tests: `git push`, `write: src/a.ts`, `spawn: scout`, `stop: true`. */
export type ShortEvent = string

type How = 'begins' | 'succeeds' | 'fails'
interface Call {
  readonly tool_name: string
  readonly tool_input: object
}

/** A session of Claude Code that does what a flip says. */
export class FlipSession {
  #calls = 0
  #agents = 0
  /** told to the hook of every call while an agent works */
  #by: object = {}

  constructor(
    readonly sandbox: InProcessSandbox,
    readonly env: Readonly<Record<string, string>> = {},
  ) {}

  async hook(payload: object): Promise<void> {
    const base = { session_id: 's', cwd: '/home/dev/proj', transcript_path: '/home/dev/t.jsonl' }
    await this.sandbox.hookInProcess('claude-code', JSON.stringify({ ...base, ...payload }), { env: this.env })
  }

  wait(seconds: number): void {
    vi.setSystemTime(Date.now() + seconds * 1000)
  }

  /** What the hook said last, and whether it asked a person before. */
  said(): { readonly decision: string; readonly asked: boolean } {
    const decisions = this.sandbox.records().map(one => one.decision)
    return { decision: String(decisions.at(-1)), asked: decisions.slice(0, -1).includes('ask') }
  }

  async call({ tool_name, tool_input }: Call, how: How, stdout = ''): Promise<void> {
    this.#calls += 1
    const call = { tool_name, tool_input, tool_use_id: `t${this.#calls}`, ...this.#by }
    await this.hook({ hook_event_name: 'PreToolUse', ...call })
    if (how === 'succeeds')
      await this.hook({ hook_event_name: 'PostToolUse', ...call, tool_response: { stdout, stderr: '' } })
    if (how === 'fails')
      await this.hook({ hook_event_name: 'PostToolUseFailure', ...call, error: `Exit code 1\n${stdout}` })
  }

  /** An agent from its spawn to its end, with what it does between. */
  async agent(agent_type: string, work: () => Promise<void> = async () => {}, answer = 'done'): Promise<void> {
    this.#agents += 1
    const by = { agent_id: `a${this.#agents}`, agent_type }
    const spawn = { ...agentCall(agent_type), tool_use_id: `s${this.#agents}` }
    await this.hook({ hook_event_name: 'PreToolUse', ...spawn })
    await this.hook({ hook_event_name: 'SubagentStart', ...by })
    this.#by = by
    await work()
    this.#by = {}
    await this.hook({ hook_event_name: 'SubagentStop', ...by, stop_hook_active: false, last_assistant_message: answer })
    await this.hook({
      ...{ hook_event_name: 'PostToolUse', ...spawn },
      tool_response: { status: 'completed', content: [{ type: 'text', text: answer }] },
    })
  }

  /** The event that the flip is about: its beginning. */
  async event(short: ShortEvent): Promise<void> {
    const [, key = 'shell', text = short] = /^(write|edit|read|spawn|prompt|stop|fetch): ([\s\S]*)$/.exec(short) ?? []
    if (key === 'stop') return this.stop()
    if (key === 'prompt') return this.prompt(text)
    return this.call(callOf(key, text), 'begins')
  }

  stop = (): Promise<void> => this.hook({ hook_event_name: 'Stop', stop_hook_active: false })
  prompt = (prompt: string): Promise<void> => this.hook({ hook_event_name: 'UserPromptSubmit', prompt })
}

const agentCall = (subagent_type: string): Call => ({
  tool_name: 'Agent',
  tool_input: { subagent_type, prompt: 'go', description: 'go' },
})

export function callOf(key: string, text: string): Call {
  const file_path = text.startsWith('/') ? text : `/home/dev/proj/${text}`
  if (key === 'write') return { tool_name: 'Write', tool_input: { file_path, content: 'x' } }
  if (key === 'edit') return { tool_name: 'Edit', tool_input: { file_path, old_string: 'x', new_string: 'y' } }
  if (key === 'read') return { tool_name: 'Read', tool_input: { file_path } }
  if (key === 'fetch') return { tool_name: 'WebFetch', tool_input: { url: text, prompt: 'x' } }
  if (key === 'spawn') return agentCall(text)
  if (key === 'tool') return { tool_name: text, tool_input: {} }
  return { tool_name: 'Bash', tool_input: { command: text } }
}
