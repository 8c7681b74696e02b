import type { Told } from './script.ts'

/** What an agent's hook is sent for one step, as the recorded ones are. */
export interface Payload {
  readonly event: 'before' | 'after' | 'other'
  readonly body: Readonly<Record<string, unknown>>
}

interface Doing {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly failed: boolean
}

/** Tools as each of them calls them: `$`, `r`, `w`, `f`. */
const TOOLS = {
  'claude-code': { $: 'Bash', r: 'Read', w: 'Edit', f: 'WebFetch' },
  'codex-cli': { $: 'Bash', r: 'Bash', w: 'Bash', f: 'Bash' },
  'gemini-cli': { $: 'run_shell_command', r: 'read_file', w: 'replace', f: 'web_fetch' },
} as const

const FIELDS = { $: 'command', r: 'file_path', w: 'file_path', f: 'url' } as const
const NAMES = {
  'claude-code': { prompt: 'UserPromptSubmit', before: 'PreToolUse', after: 'PostToolUse' },
  'codex-cli': { prompt: 'UserPromptSubmit', before: 'PreToolUse', after: 'PostToolUse' },
  'gemini-cli': { prompt: 'BeforeAgent', before: 'BeforeTool', after: 'AfterTool' },
} as const

type Sign = keyof typeof FIELDS

function doing({ client }: Told, sign: string, text: string, cwd: string): Doing {
  const kind: Sign = sign === '!' ? '$' : sign === 'r' || sign === 'w' || sign === 'f' ? sign : '$'
  const tool = TOOLS[client][kind]
  const failed = sign === '!'
  // it has no tools but the shell for these
  if (client === 'codex-cli' && kind !== '$')
    return {
      tool,
      failed,
      input: { command: { r: `cat ${text}`, w: `sed -i s/a/b/ ${text}`, f: `curl -s ${text}` }[kind] },
    }
  const value = kind === 'r' || kind === 'w' ? `${cwd}/${text}` : text
  const more = kind === 'w' ? { old_string: 'a', new_string: 'b' } : kind === 'f' ? { prompt: 'what does it say?' } : {}
  return { tool, failed, input: { [FIELDS[kind]]: value, ...more } }
}

/** The payloads of a step. `agents` knows who is at work. */
export function payloadsOf(told: Told, step: string, cwd: string, nth: number): readonly Payload[] {
  const names = NAMES[told.client]
  const base = { session_id: told.session, transcript_path: `/tmp/${told.session}.jsonl`, cwd }
  const other = (body: object): readonly Payload[] => [{ event: 'other', body: { ...base, ...body } }]
  const [, agent, rest = ''] = /^@(\w+) (.*)$/s.exec(step) ?? [undefined, undefined, step]
  const who = agent === undefined ? {} : { agent_id: idOf(agent, told), agent_type: typeOf(agent) }
  const [sign = '', text = ''] = rest.split(/ (.*)/s)
  if (sign === '>') return other({ hook_event_name: names.prompt, prompt: text })
  if (rest.startsWith('+') || rest.startsWith('-')) {
    const name = rest.slice(1)
    const hook_event_name = rest.startsWith('+') ? 'SubagentStart' : 'SubagentStop'
    const last = { last_assistant_message: 'done', stop_hook_active: false }
    return other({
      hook_event_name,
      agent_id: idOf(name, told),
      agent_type: typeOf(name),
      ...(rest.startsWith('-') && last),
    })
  }
  const { tool, input, failed } = doing(told, sign, text, cwd)
  const call = {
    ...base,
    ...who,
    tool_name: tool,
    tool_input: input,
    tool_use_id: `call_${told.session.slice(0, 8)}_${nth}`,
  }
  const ended =
    failed && told.client === 'claude-code'
      ? { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' }
      : { hook_event_name: names.after, tool_response: answerOf(told, failed) }
  return [
    { event: 'before', body: { ...call, hook_event_name: names.before } },
    { event: 'after', body: { ...call, ...ended } },
  ]
}

const answerOf = ({ client }: Told, failed: boolean): unknown => {
  if (client === 'claude-code') return { stdout: 'ok', stderr: '', interrupted: false, isImage: false }
  if (client === 'gemini-cli')
    return { llmContent: failed ? 'Output: no\nExit Code: 1' : 'Output: ok', returnDisplay: '' }
  return failed ? 'npm error 1 failing' : 'ok\n'
}

/** `explorer2` is another one of them */
const typeOf = (agent: string): string => agent.replace(/\d+$/, '')
const idOf = (agent: string, { session }: Told): string => `a${session.slice(0, 4)}${agent}`
