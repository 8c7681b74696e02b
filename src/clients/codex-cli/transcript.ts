import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { quoteShellWord } from '../../lib/shell-quote.ts'
import { blockTexts, objectField, stringField } from '../adapter/decode.ts'
import {
  parseTime,
  readTranscriptHead,
  type TranscriptEvent,
  TranscriptEventBuffer,
  type TranscriptFormat,
  type TranscriptLineReader,
} from '../adapter/transcript.ts'
import { CLIENT_ID } from './decode.ts'

/** One file for each thread: the main agent's, or a subagent's, which names its parent (0.166.0). */
export const transcriptFormat: TranscriptFormat = {
  id: CLIENT_ID,
  folder: '~/.codex/sessions',
  isTranscript: path => /(^|\/)rollout-[^/]*\.jsonl$/.test(path),
  readHead: head =>
    readTranscriptHead(head, {
      time: 'timestamp',
      cwd: 'cwd',
      session: /"session_id"/.test(head) ? 'session_id' : 'id',
    }),
  reader: () => new TranscriptLines(),
}

class TranscriptLines implements TranscriptLineReader {
  private base: JsonObject = {}
  private isAgents = false
  private unstarted = false
  private latest: number | undefined
  /** when the message of the user was given to the model: its hook has run by then */
  private promptedAt: number | undefined
  private isStopDenied = false
  private lastMessage: string | undefined
  private readonly ledger = new TranscriptEventBuffer()

  read(line: JsonObject): readonly TranscriptEvent[] {
    const at = parseTime(stringField(line, 'timestamp'))
    if (at === undefined) return []
    this.latest = at
    const payload = objectField(line, 'payload')
    if (stringField(line, 'type') === 'response_item') {
      this.item(at, payload)
      if (payload.type === 'message' && payload.role === 'user') this.promptedAt = at
    }
    const event = this.toEvent(stringField(line, 'type'), payload)
    // a call that has not ended before the next prompt never ends
    if (event?.hook_event_name === 'UserPromptSubmit') {
      this.ledger.settle()
      this.isStopDenied = false
      this.emit(this.promptedAt ?? at, event)
      this.promptedAt = undefined
    } else if (event?.hook_event_name === 'SubagentStart') this.unstarted = true
    else if (event) this.emit(at, event)
    if (stringField(line, 'type') === 'event_msg') this.onDeniedStop(at, objectField(payload, 'item'))
    return this.ledger.take()
  }

  /** A stop that a hook denied ends no task: only the hook's reason shows that it was tried. The agent goes on in the same turn. */
  private onDeniedStop(at: number, { type, content, fragments }: JsonObject): void {
    if (type === 'AgentMessage') this.lastMessage = contentText(content)
    const denials = Array.isArray(fragments) ? fragments.filter(isObject) : []
    if (
      type !== 'HookPrompt' ||
      !denials.some(denial => /^(?:subagent_?)?stop:/i.test(stringField(denial, 'hookRunId') ?? ''))
    )
      return
    this.start(at)
    this.ledger.stop(at, Object.assign({}, this.base, this.stop(this.lastMessage)))
    this.ledger.settleStop(true)
    this.isStopDenied = true
  }

  private stop(last: string | undefined): JsonObject {
    const name = this.isAgents ? 'SubagentStop' : 'Stop'
    return { hook_event_name: name, stop_hook_active: this.isStopDenied, ...(last && { last_assistant_message: last }) }
  }

  /** A subagent starts with its first event: its file is created before the call that spawns it has ended. */
  private start(at: number): void {
    if (this.unstarted) this.ledger.add(at, { ...this.base, hook_event_name: 'SubagentStart' })
    this.unstarted = false
  }

  private emit(at: number, event: JsonObject): void {
    this.start(at)
    this.ledger.add(at, Object.assign({}, this.base, event))
  }

  end(): readonly TranscriptEvent[] {
    if (this.latest !== undefined) this.start(this.latest)
    this.ledger.settle()
    if (!this.isAgents && this.latest !== undefined)
      this.ledger.add(this.latest, { ...this.base, hook_event_name: 'SessionEnd', reason: 'other' })
    return this.ledger.take()
  }

  private toEvent(type: string | undefined, payload: JsonObject): JsonObject | undefined {
    if (type === 'session_meta') return this.begins(payload)
    if (type === 'turn_context') {
      const cwd = stringField(payload, 'cwd')
      if (cwd) this.base = { ...this.base, cwd }
    }
    return type === 'event_msg' ? this.event(payload) : undefined
  }

  /** `session_meta` comes again in a resumed or forked thread; only the first counts. */
  private begins(meta: JsonObject): JsonObject | undefined {
    if (this.base.session_id !== undefined) return undefined
    const spawned = objectField(objectField(objectField(meta, 'source'), 'subagent'), 'thread_spawn')
    const id = stringField(meta, 'id') ?? ''
    const parent = stringField(meta, 'parent_thread_id') ?? stringField(spawned, 'parent_thread_id')
    const cwd = stringField(meta, 'cwd')
    this.isAgents = parent !== undefined
    this.base = {
      session_id: stringField(meta, 'session_id') ?? parent ?? id,
      ...(cwd && { cwd }),
      ...(parent !== undefined && {
        agent_id: id,
        agent_type: stringField(meta, 'agent_role') ?? stringField(spawned, 'agent_role') ?? 'default',
      }),
    }
    return this.isAgents ? { hook_event_name: 'SubagentStart' } : { hook_event_name: 'SessionStart', source: 'startup' }
  }

  private event(payload: JsonObject): JsonObject | undefined {
    const item = objectField(payload, 'item')
    const isPrompt = payload.type === 'item_completed' && item.type === 'UserMessage'
    // older versions wrote `user_message`
    const prompt = isPrompt
      ? contentText(item.content)
      : payload.type === 'user_message'
        ? stringField(payload, 'message')
        : undefined
    if (prompt) return { hook_event_name: 'UserPromptSubmit', prompt }
    if (payload.type !== 'task_complete') return undefined
    return this.stop(stringField(payload, 'last_agent_message'))
  }

  /** Holds a call back until its end is read: only the end shows whether a hook denied it. */
  private item(at: number, item: JsonObject): void {
    const id = stringField(item, 'call_id')
    if (id === undefined) return
    const call = hookCallOf(item)
    if (call) {
      this.start(at)
      this.ledger.begin(id, at, { ...this.base, hook_event_name: 'PreToolUse', ...call, tool_use_id: id })
      return
    }
    const words = toolOutputOf(item.output)
    const begun = this.ledger.end(id, words !== undefined && HOOK_DENIAL.test(words) ? 'refused' : 'ended')
    if (!begun || words === undefined || hasNoEndEvent(begun, words)) return
    this.ledger.add(at, { ...begun, ...this.base, hook_event_name: 'PostToolUse', tool_response: words })
  }
}

/** How the client reports a hook's denial to the model. */
const HOOK_DENIAL = /^(?:Command|Tool call) blocked by PreToolUse hook/

/** No end event: for a denied call, and for a patch typed into a shell, which the client extracts and applies itself (0.166.0). */
const hasNoEndEvent = ({ tool_name, tool_input }: JsonObject, words: string): boolean =>
  HOOK_DENIAL.test(words) ||
  (tool_name === 'Bash' && isObject(tool_input) && /^\s*apply_patch\s*<</.test(String(tool_input.command)))

/** The call as hooks see it: `Bash` for every shell tool, a patch as `command`. */
function hookCallOf(item: JsonObject): JsonObject | undefined {
  const name = stringField(item, 'name') ?? ''
  if (item.type === 'custom_tool_call')
    return { tool_name: name, tool_input: { command: stringField(item, 'input') ?? '' } }
  if (item.type === 'local_shell_call') return toBashCall(objectField(item, 'action'))
  if (item.type !== 'function_call') return undefined
  const input = parseToolInput(stringField(item, 'arguments'))
  if (SHELL_TOOLS.has(name)) return toBashCall(input)
  // only `spawn_agent` comes without its namespace
  const namespace = name === 'spawn_agent' ? '' : (stringField(item, 'namespace') ?? '')
  return { tool_name: `${namespace}${name}`, tool_input: input }
}

/** `exec_command` is the name in 0.166.0, the others are from earlier versions. */
const SHELL_TOOLS: ReadonlySet<string> = new Set(['exec_command', 'shell', 'shell_command', 'container.exec'])

function toBashCall({ cmd, command }: JsonObject): JsonObject {
  const words = Array.isArray(command) ? command.map(String) : []
  const isWrapped = words.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(words[0] ?? '') && /^-l?c$/.test(words[1] ?? '')
  const typed = isWrapped ? words[2] : words.map(quoteShellWord).join(' ')
  const line = typeof cmd === 'string' ? cmd : typeof command === 'string' ? command : typed
  return { tool_name: 'Bash', tool_input: { command: line ?? '' } }
}

function parseToolInput(json: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(json ?? '')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const OUTPUT_HEADER =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process exited with code -?\d+\n)?(?:Original token count: \d+\n)?Output:\n/

const toolOutputOf = (output: Json | undefined): string | undefined => {
  if (typeof output === 'string') return output.replace(OUTPUT_HEADER, '')
  return output === undefined || output === null ? undefined : contentText(isObject(output) ? output.content : output)
}

const contentText = (content: Json | undefined): string =>
  Array.isArray(content) ? blockTexts(content).join('\n') : typeof content === 'string' ? content : ''
