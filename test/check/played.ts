import { InProcessSandbox } from '../support/in-process-sandbox.ts'

/** What happens, in short: a call's beginning and end, a prompt, the end of a turn, what the client does by itself. */
export type Played =
  | { readonly shell: string; readonly ends?: 'well' | 'badly' | 'in the background' }
  | { readonly write: string; readonly text?: string }
  | { readonly read: string }
  | { readonly spawn: string }
  | { readonly prompt: string }
  | 'stop'
  | 'compact'

const CALLS: Readonly<Record<string, (text: string) => readonly [string, object]>> = {
  shell: command => ['Bash', { command }],
  write: path => ['Write', { file_path: `/home/dev/proj/${path}`, content: 'x' }],
  read: path => ['Read', { file_path: `/home/dev/proj/${path}` }],
  spawn: type => ['Agent', { subagent_type: type, prompt: 'x', description: 'x' }],
}

/** Plays it through the hook as Claude Code tells of it, with this policy in force: `deny` where it is refused, else `pass`. */
export async function played(policy: string, steps: readonly Played[], env: Readonly<Record<string, string>> = {}) {
  const sandbox = new InProcessSandbox({ user: policy })
  const said: string[] = []
  const tell = async (name: string, more: object): Promise<boolean> => {
    const common = {
      session_id: 's',
      transcript_path: '/home/dev/t.jsonl',
      cwd: '/home/dev/proj',
      hook_event_name: name,
    }
    const payload = JSON.stringify({ ...common, permission_mode: 'default', ...more })
    const { stdout, exitCode } = await sandbox.hookInProcess('claude-code', payload, { env })
    return exitCode === 2 || /"(deny|block)"|"continue":\s*false/.test(stdout)
  }
  try {
    for (const [nth, step] of steps.entries()) said.push((await playOne(step, `c${nth}`, tell)) ? 'deny' : 'pass')
  } finally {
    sandbox.remove()
  }
  return said
}

async function playOne(step: Played, id: string, tell: (name: string, more: object) => Promise<boolean>) {
  if (step === 'stop') return tell('Stop', { stop_hook_active: false })
  if (step === 'compact') return tell('PreCompact', { trigger: 'auto', custom_instructions: '' })
  if ('prompt' in step) return tell('UserPromptSubmit', { prompt: step.prompt })
  const [key = '', text = ''] = Object.entries(step)[0] ?? []
  const [tool_name, tool_input] = CALLS[key]?.(text) ?? ['Bash', {}]
  const ends = 'ends' in step ? step.ends : 'well'
  const input = ends === 'in the background' ? { ...tool_input, run_in_background: true } : tool_input
  const written = 'text' in step ? { content: step.text } : {}
  const call = { tool_name, tool_input: { ...input, ...written }, tool_use_id: id }
  if (await tell('PreToolUse', call)) return true
  if (ends === 'badly') await tell('PostToolUseFailure', { ...call, error: 'Exit code 1' })
  else
    await tell('PostToolUse', {
      ...call,
      tool_response:
        ends === 'in the background'
          ? { stdout: '', stderr: '', backgroundTaskId: 'b1' }
          : { stdout: 'ok', stderr: '', interrupted: false },
    })
  return false
}
