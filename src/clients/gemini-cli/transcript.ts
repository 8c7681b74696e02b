import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { blockTexts, objectField, stringField } from '../adapter/decode.ts'
import {
  parseTime,
  readTranscriptHead,
  type TranscriptEvent,
  type TranscriptFile,
  type TranscriptFormat,
  type TranscriptLineReader,
} from '../adapter/transcript.ts'
import { CLIENT_ID } from './decode.ts'

/**
 * One file for each session in `tmp/<project>/chats/`, and one for each subagent in a folder named after the session (0.61.0). Files of
 * older versions are one JSON object with the same messages.
 */
export const transcriptFormat: TranscriptFormat = {
  id: CLIENT_ID,
  folder: '~/.gemini/tmp',
  isTranscript: path => /\/chats\/.*\.jsonl?$/.test(path),
  readHead: (head, file) => {
    const { at, session } = readTranscriptHead(head, { time: 'startTime', cwd: 'cwd', session: 'sessionId' })
    const parent = parentSessionOf(file)
    const cwd = projectRootOf(file)
    const named = parent ?? session
    return { ...(at !== undefined && { at }), ...(cwd && { cwd }), ...(named && { session: named }) }
  },
  reader: file => new TranscriptLines(file),
}

/** The session that started this subagent; undefined for the main agent's file. */
const parentSessionOf = ({ path }: TranscriptFile): string | undefined => /\/chats\/([^/]+)\/[^/]+$/.exec(path)?.[1]

const projectRootOf = (file: TranscriptFile): string | undefined =>
  file.readBeside(parentSessionOf(file) === undefined ? '../.project_root' : '../../.project_root')?.trim()

class TranscriptLines implements TranscriptLineReader {
  private base: JsonObject
  private readonly parent: string | undefined
  private message = ''
  private readonly seen = new Set<string>()
  /** the latest message, and whether it has calls: without calls it ends the turn */
  private latest: { readonly at: number; readonly text: string; calls: boolean } | undefined
  private prompt = ''
  /** the last prompt as the person sees it */
  private shown = ''
  private isStopDenied = false
  private isOpen = false

  constructor(file: TranscriptFile) {
    const cwd = projectRootOf(file)
    this.parent = parentSessionOf(file)
    this.base = { ...(this.parent && { session_id: this.parent }), ...(cwd && { cwd }) }
  }

  read(line: JsonObject): readonly TranscriptEvent[] {
    const session = stringField(line, 'sessionId')
    const began = parseTime(stringField(line, 'startTime'))
    const first = session !== undefined && began !== undefined ? this.begins(session, began) : []
    const messages = Array.isArray(line.messages) ? line.messages.filter(isObject) : [line]
    return [...first, ...messages.flatMap(message => this.eventsOf(message))]
  }

  end(): readonly TranscriptEvent[] {
    const last = this.turnEnds()
    if (this.parent !== undefined || !this.latest) return last
    return [...last, this.toEvent(this.latest.at, { hook_event_name: 'SessionEnd', reason: 'exit' })]
  }

  private begins(session: string, at: number): readonly TranscriptEvent[] {
    if (this.isOpen || this.parent !== undefined) return []
    this.isOpen = true
    this.base = { ...this.base, session_id: session }
    return [this.toEvent(at, { hook_event_name: 'SessionStart', source: 'startup' })]
  }

  private eventsOf(message: JsonObject): readonly TranscriptEvent[] {
    const at = parseTime(stringField(message, 'timestamp'))
    if (at === undefined) return []
    if (message.type === 'user') return this.user(at, message)
    if (message.type !== 'gemini') return []
    const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : []
    const id = stringField(message, 'id') ?? ''
    // a message is written again when its calls have ended
    if (id !== this.message) this.seen.clear()
    this.message = id
    this.latest = { at, text: contentText(message.content), calls: calls.length > 0 }
    return calls.flatMap(call => this.call(at, call))
  }

  /** The reason of a hook that denied the stop goes on as a prompt; what is shown for it is the prompt before. */
  private user(at: number, { content, displayContent }: JsonObject): readonly TranscriptEvent[] {
    const prompt = contentText(content)
    if (this.parent !== undefined || prompt === '' || /^\s*<session_context>/.test(prompt)) return []
    const shown = contentText(displayContent)
    const isRefused = shown !== '' && shown !== prompt && shown === this.shown
    const before = this.turnEnds().map(end => (isRefused ? { ...end, refused: true as const } : end))
    this.isStopDenied = isRefused
    this.shown = shown || prompt
    this.prompt = prompt
    return [...before, this.toEvent(at, { hook_event_name: 'BeforeAgent', prompt })]
  }

  private turnEnds(): readonly TranscriptEvent[] {
    const { latest, prompt } = this
    this.prompt = ''
    if (this.parent !== undefined || !latest || latest.calls || prompt === '') return []
    const payload = { prompt, prompt_response: latest.text, stop_hook_active: this.isStopDenied }
    return [this.toEvent(latest.at, { hook_event_name: 'AfterAgent', ...payload })]
  }

  private call(at: number, call: JsonObject): readonly TranscriptEvent[] {
    const id = stringField(call, 'id') ?? ''
    if (this.seen.has(id)) return []
    this.seen.add(id)
    const ended = parseTime(stringField(call, 'timestamp')) ?? at
    const begun = { tool_name: stringField(call, 'name') ?? '', tool_input: objectField(call, 'args') }
    const before = this.toEvent(Math.min(at, ended), { hook_event_name: 'BeforeTool', ...begun })
    const response = responseOf(call)
    if (!response) return [isHookDenial(call) ? { ...before, refused: true } : before]
    return [before, this.toEvent(ended, { hook_event_name: 'AfterTool', ...begun, tool_response: response })]
  }

  private toEvent(at: number, payload: JsonObject): TranscriptEvent {
    return { at, payload: Object.assign({}, this.base, payload) }
  }
}

/** A hook denied the call. */
const isHookDenial = (call: JsonObject): boolean => /^Tool execution blocked/.test(responseErrorOf(call) ?? '')

function responseErrorOf({ result }: JsonObject): string | undefined {
  const parts = Array.isArray(result) ? result.filter(isObject) : []
  return stringField(objectField(objectField(parts[0] ?? {}, 'functionResponse'), 'response'), 'error')
}

/** Undefined if the call did not run: a hook, a policy or the user stopped it. */
function responseOf({ result, status, resultDisplay }: JsonObject): JsonObject | undefined {
  const parts = Array.isArray(result) ? result.filter(isObject) : []
  const response = objectField(objectField(parts[0] ?? {}, 'functionResponse'), 'response')
  const error = stringField(response, 'error')
  if (status === 'cancelled' || /^Tool execution (?:blocked|denied)/.test(error ?? '')) return undefined
  return {
    llmContent: error === undefined ? (stringField(response, 'output') ?? '') : `Error: ${error}`,
    ...(resultDisplay !== undefined && { returnDisplay: resultDisplay }),
    ...(error !== undefined && { error: { message: error } }),
  }
}

const contentText = (content: Json | undefined): string =>
  Array.isArray(content) ? blockTexts(content).join('\n') : typeof content === 'string' ? content : ''
