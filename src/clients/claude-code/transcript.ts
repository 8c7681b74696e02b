import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { blockTexts, booleanField, objectField, stringField } from '../adapter/decode.ts'
import {
  parseTime,
  readTranscriptHead,
  type TranscriptEvent,
  TranscriptEventBuffer,
  type TranscriptFile,
  type TranscriptFormat,
  type TranscriptLineReader,
} from '../adapter/transcript.ts'
import { CLIENT_ID } from './decode.ts'

/** One file for each session and each subagent (2.1.197, 2.1.325; older versions put subagents beside it or into the same file). */
export const transcriptFormat: TranscriptFormat = {
  id: CLIENT_ID,
  folder: '~/.claude/projects',
  isTranscript: path => path.endsWith('.jsonl'),
  readHead: head => readTranscriptHead(head, { time: 'timestamp', cwd: 'cwd', session: 'sessionId' }),
  reader: file => new TranscriptLines(file),
}

class TranscriptLines implements TranscriptLineReader {
  private readonly ledger = new TranscriptEventBuffer()
  private readonly begun = new Set<string>()
  private readonly isAgents: boolean
  private readonly named: string | undefined
  private command: TranscriptEvent | undefined
  private isStopDenied = false
  private last: { readonly at: number; readonly base: JsonObject } | undefined

  constructor(private readonly file: TranscriptFile) {
    this.isAgents = /(^|\/)agent-[^/]*$/.test(file.path)
    this.named = this.isAgents
      ? parseAgentType(file.readBeside(file.path.replace(/.*\//, '').replace(/jsonl$/, 'meta.json')))
      : ''
  }

  read(line: JsonObject): readonly TranscriptEvent[] {
    const at = parseTime(stringField(line, 'timestamp'))
    const { type } = line
    if (at === undefined || (type !== 'user' && type !== 'assistant')) return []
    const agent = booleanField(line, 'isSidechain') === true ? (stringField(line, 'agentId') ?? 'sidechain') : undefined
    const base = basePayloadOf(line, agent, this.named || stringField(line, 'attributionAgent'))
    // a subagent's type may appear only in its first answer
    if (agent === undefined || type === 'assistant') this.begin(at, base, agent)
    const content = objectField(line, 'message').content ?? ''
    this.settleStop(line, content)
    if (agent === undefined) this.settleCommand(line, content)
    if (type === 'assistant') this.assistant(at, base, line, content)
    else this.user(at, base, line, content)
    if (!agent || this.isAgents) this.last = { at, base }
    return this.ledger.take()
  }

  end(): readonly TranscriptEvent[] {
    this.ledger.settle()
    const { last } = this
    if (last && !this.isAgents)
      this.ledger.add(last.at, { ...last.base, hook_event_name: 'SessionEnd', reason: 'other' })
    return this.ledger.take()
  }

  private begin(at: number, base: JsonObject, agent: string | undefined): void {
    const agentId = agent ?? ''
    if (this.begun.has(agentId)) return
    this.begun.add(agentId)
    const name = agent === undefined ? 'SessionStart' : 'SubagentStart'
    this.ledger.add(at, { ...base, hook_event_name: name, ...(agent === undefined && { source: 'startup' }) })
  }

  private assistant(at: number, base: JsonObject, line: JsonObject, content: Json): void {
    const blocks = Array.isArray(content) ? content.filter(isObject) : []
    for (const block of blocks) {
      const id = stringField(block, 'id')
      const name = stringField(block, 'name')
      if (block.type !== 'tool_use' || id === undefined || name === undefined) continue
      const call = { tool_name: name, tool_input: objectField(block, 'input'), tool_use_id: id }
      this.ledger.begin(id, at, Object.assign({ hook_event_name: 'PreToolUse' }, base, call))
    }
    if (
      stringField(objectField(line, 'message'), 'stop_reason') !== 'end_turn' ||
      blocks.some(block => block.type === 'tool_use')
    )
      return
    const text = blockTexts(blocks).join('\n')
    // a line with thinking only is not an answer: the text comes in a line of its own
    if (text === '') return
    const name = base.agent_id === undefined ? 'Stop' : 'SubagentStop'
    const active = { stop_hook_active: this.isStopDenied, last_assistant_message: text }
    this.ledger.stop(at, { ...base, hook_event_name: name, ...active })
  }

  /** A hook that denied the stop has its reason in the next line. The agent goes on in the same turn. */
  private settleStop(line: JsonObject, content: Json): void {
    const isRefused = booleanField(line, 'isMeta') === true && STOP_DENIAL.test(contentText(content))
    this.ledger.settleStop(isRefused)
    if (isRefused) this.isStopDenied = true
  }

  private user(at: number, base: JsonObject, line: JsonObject, content: Json): void {
    const blocks = Array.isArray(content) ? content.filter(isObject) : []
    const results = blocks.filter(block => block.type === 'tool_result')
    for (const result of results) this.result(at, base, line, result)
    if (results.length > 0 || base.agent_id !== undefined || isClientMessage(line)) return
    const prompt = contentText(content)
    if (prompt === '' || CLIENT_TEXT.test(prompt)) return
    const id = stringField(line, 'promptId')
    const payload = { ...base, hook_event_name: 'UserPromptSubmit', prompt, ...(id && { prompt_id: id }) }
    const command = slashCommandIn(prompt)
    if (command !== undefined) this.command = { at, payload: { ...payload, prompt: command } }
    else if (!IS_COMMAND.test(prompt)) this.prompt({ at, payload: payload })
  }

  private prompt({ at, payload }: TranscriptEvent): void {
    this.isStopDenied = false
    this.ledger.settle()
    this.ledger.add(at, payload)
  }

  /** A slash command became a prompt if its text or an answer follows. Built-in commands only print output, and call no hook. */
  private settleCommand(line: JsonObject, content: Json): void {
    const { command } = this
    this.command = undefined
    const isText = booleanField(line, 'isMeta') === true && !CLIENT_TEXT.test(contentText(content))
    if (command && (line.type === 'assistant' || isText)) this.prompt(command)
  }

  private result(at: number, base: JsonObject, line: JsonObject, result: JsonObject): void {
    const id = stringField(result, 'tool_use_id') ?? ''
    const words = typeof result.content === 'string' ? result.content : blockTextOf(result.content)
    const isWrong = booleanField(result, 'is_error') === true
    const never = isWrong && words.startsWith('<tool_use_error>')
    const isHooks = isWrong && isHookDenial(line, words)
    const call = this.ledger.end(id, never ? 'never' : isHooks ? 'refused' : 'ended')
    if (!call || never || (isWrong && isDenied(line, words))) return
    const payload = isWrong
      ? { hook_event_name: 'PostToolUseFailure', error: words, is_interrupt: false }
      : { hook_event_name: 'PostToolUse', tool_response: responseOf(line, result) }
    this.ledger.add(at, Object.assign({}, call, base, payload), this.lostIn(objectField(line, 'toolUseResult')))
  }

  /** Reports an ended subagent whose own transcript is missing. */
  private lostIn(result: JsonObject): string | undefined {
    const id = stringField(result, 'agentId')
    if (id === undefined || this.begun.has(id)) return undefined
    const name = this.file.path.replace(/.*\//, '')
    const places = [`${name.replace(/\.jsonl$/, '')}/subagents/agent-${id}.jsonl`, `agent-${id}.jsonl`]
    if (places.some(place => this.file.existsBeside(place))) return undefined
    return `what the agent ${stringField(result, 'agentType') ?? ''} did is unknown: agent-${id}.jsonl is missing`.replace(
      / +/g,
      ' ',
    )
  }
}

const basePayloadOf = (line: JsonObject, agent: string | undefined, type: string | undefined): JsonObject => ({
  session_id: stringField(line, 'sessionId') ?? '',
  ...(stringField(line, 'cwd') && { cwd: stringField(line, 'cwd') ?? '' }),
  ...(agent !== undefined && { agent_id: agent, ...(type && { agent_type: type }) }),
})

/** Reads `{"agentType":"helper",…}` from the file beside a subagent's transcript. */
function parseAgentType(meta: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(meta ?? '')
    return isObject(value) ? stringField(value, 'agentType') : undefined
  } catch {
    return undefined
  }
}

/** Lines that the client adds in the user's name. */
const isClientMessage = (line: JsonObject): boolean =>
  booleanField(line, 'isMeta') === true ||
  booleanField(line, 'isCompactSummary') === true ||
  booleanField(line, 'isVisibleInTranscriptOnly') === true

/** `/deploy staging`: as it was typed, and as a hook receives it (2.1.309). */
function slashCommandIn(prompt: string): string | undefined {
  const [, name] = /<command-name>\s*\/?([^<]*)<\/command-name>/.exec(prompt) ?? []
  if (name === undefined || !IS_COMMAND.test(prompt)) return undefined
  const [, args = ''] = /<command-args>([\s\S]*?)<\/command-args>/.exec(prompt) ?? []
  return `/${name.trim()} ${args.trim()}`.trim()
}

const contentText = (content: Json): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? blockTexts(content.filter(isObject)).join('\n') : ''

const STOP_DENIAL = /^(?:Subagent)?Stop hook feedback:/
const IS_COMMAND = /^\s*<command-/
const CLIENT_TEXT =
  /^\s*(?:Caveat: The messages below|<(?:local-command-|bash-(?:input|stdout|stderr)|system-reminder)|\[Request interrupted by user)/

/** A hook denied the call. 2.1.325 says so; 2.1.197 writes only the hook's text, while a failed command starts with its exit code. */
const isHookDenial = (line: JsonObject, words: string): boolean =>
  /^PreToolUse:\S+ hook error/.test(words) || (line.toolUseResult === `Error: ${words}` && !/^Exit code \d/.test(words))

/** 2.1.325 has a field for denials; earlier versions only have the text, and a hook's denial has the hook's own text. */
const isDenied = (line: JsonObject, words: string): boolean =>
  stringField(line, 'toolDenialKind') !== undefined ||
  stringField(objectField(line, 'permissionDecision'), 'decision') === 'reject' ||
  /^(?:PreToolUse:\S+ hook error|The user doesn't want to (?:proceed|take this action)|Claude requested permissions|Permission to use )/.test(
    words,
  )

/** A subagent's calls have text only. The result of a background call shows that it is one. */
const responseOf = (line: JsonObject, result: JsonObject): Json =>
  isObject(line.toolUseResult) || Array.isArray(line.toolUseResult) ? line.toolUseResult : (result.content ?? '')

const blockTextOf = (content: Json | undefined): string =>
  Array.isArray(content) ? blockTexts(content).join('\n') : ''
