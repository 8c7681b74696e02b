import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import { glanceAt, type Reader, type Told, type Transcribing, type Transcript, timeOf } from '../transcribing.ts'
import { blockTexts, object, text } from '../wire.ts'
import { ID } from './events.ts'

/**
 * One file a session in `tmp/<project>/chats/`, and one for each of its agents in a folder named after the session (0.61.0). A file of
 * versions before is one JSON object, with the same messages.
 */
export const transcribes: Transcribing = {
  id: ID,
  folder: '~/.gemini/tmp',
  isTranscript: path => /\/chats\/.*\.jsonl?$/.test(path),
  glance: (head, file) => {
    const { at, session } = glanceAt(head, { time: 'startTime', cwd: 'cwd', session: 'sessionId' })
    const parent = parentOf(file)
    const cwd = rootOf(file)
    const named = parent ?? session
    return { ...(at !== undefined && { at }), ...(cwd && { cwd }), ...(named && { session: named }) }
  },
  reader: file => new Lines(file),
}

/** The session whose agent's it is. */
const parentOf = ({ path }: Transcript): string | undefined => /\/chats\/([^/]+)\/[^/]+$/.exec(path)?.[1]

const rootOf = (file: Transcript): string | undefined =>
  file.beside(parentOf(file) === undefined ? '../.project_root' : '../../.project_root')?.trim()

class Lines implements Reader {
  private base: JsonObject
  private readonly parent: string | undefined
  private message = ''
  private readonly seen = new Set<string>()
  /** the latest words, and whether calls came with them: if not, they end a turn */
  private latest: { readonly at: number; readonly said: string; calls: boolean } | undefined
  private prompt = ''
  private isOpen = false

  constructor(file: Transcript) {
    const cwd = rootOf(file)
    this.parent = parentOf(file)
    this.base = { ...(this.parent && { session_id: this.parent }), ...(cwd && { cwd }) }
  }

  read(line: JsonObject): readonly Told[] {
    const session = text(line, 'sessionId')
    const began = timeOf(text(line, 'startTime'))
    const first = session !== undefined && began !== undefined ? this.begins(session, began) : []
    const messages = Array.isArray(line.messages) ? line.messages.filter(isObject) : [line]
    return [...first, ...messages.flatMap(message => this.told(message))]
  }

  end(): readonly Told[] {
    const last = this.turnEnds()
    if (this.parent !== undefined || !this.latest) return last
    return [...last, this.tell(this.latest.at, { hook_event_name: 'SessionEnd', reason: 'exit' })]
  }

  private begins(session: string, at: number): readonly Told[] {
    if (this.isOpen || this.parent !== undefined) return []
    this.isOpen = true
    this.base = { ...this.base, session_id: session }
    return [this.tell(at, { hook_event_name: 'SessionStart', source: 'startup' })]
  }

  private told(message: JsonObject): readonly Told[] {
    const at = timeOf(text(message, 'timestamp'))
    if (at === undefined) return []
    if (message.type === 'user') return this.user(at, message)
    if (message.type !== 'gemini') return []
    const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : []
    const id = text(message, 'id') ?? ''
    // it is written again when its calls have ended
    if (id !== this.message) this.seen.clear()
    this.message = id
    this.latest = { at, said: textsIn(message.content), calls: calls.length > 0 }
    return calls.flatMap(call => this.call(at, call))
  }

  private user(at: number, { content }: JsonObject): readonly Told[] {
    const prompt = textsIn(content)
    if (this.parent !== undefined || prompt === '' || /^\s*<session_context>/.test(prompt)) return []
    const before = this.turnEnds()
    this.prompt = prompt
    return [...before, this.tell(at, { hook_event_name: 'BeforeAgent', prompt })]
  }

  private turnEnds(): readonly Told[] {
    const { latest, prompt } = this
    this.prompt = ''
    if (this.parent !== undefined || !latest || latest.calls || prompt === '') return []
    const told = { prompt, prompt_response: latest.said, stop_hook_active: false }
    return [this.tell(latest.at, { hook_event_name: 'AfterAgent', ...told })]
  }

  private call(at: number, call: JsonObject): readonly Told[] {
    const id = text(call, 'id') ?? ''
    if (this.seen.has(id)) return []
    this.seen.add(id)
    const ended = timeOf(text(call, 'timestamp')) ?? at
    const begun = { tool_name: text(call, 'name') ?? '', tool_input: object(call, 'args') }
    const before = this.tell(Math.min(at, ended), { hook_event_name: 'BeforeTool', ...begun })
    const response = responseOf(call)
    if (!response) return [isHooks(call) ? { ...before, refused: true } : before]
    return [before, this.tell(ended, { hook_event_name: 'AfterTool', ...begun, tool_response: response })]
  }

  private tell(at: number, payload: JsonObject): Told {
    return { at, payload: Object.assign({}, this.base, payload) }
  }
}

/** A hook denied the call. */
const isHooks = (call: JsonObject): boolean => /^Tool execution blocked/.test(errorOf(call) ?? '')

function errorOf({ result }: JsonObject): string | undefined {
  const parts = Array.isArray(result) ? result.filter(isObject) : []
  return text(object(object(parts[0] ?? {}, 'functionResponse'), 'response'), 'error')
}

/** Undefined where it did not run: a hook, a policy or the person stopped it. */
function responseOf({ result, status, resultDisplay }: JsonObject): JsonObject | undefined {
  const parts = Array.isArray(result) ? result.filter(isObject) : []
  const response = object(object(parts[0] ?? {}, 'functionResponse'), 'response')
  const error = text(response, 'error')
  if (status === 'cancelled' || /^Tool execution (?:blocked|denied)/.test(error ?? '')) return undefined
  return {
    llmContent: error === undefined ? (text(response, 'output') ?? '') : `Error: ${error}`,
    ...(resultDisplay !== undefined && { returnDisplay: resultDisplay }),
    ...(error !== undefined && { error: { message: error } }),
  }
}

const textsIn = (content: Json | undefined): string =>
  Array.isArray(content) ? blockTexts(content).join('\n') : typeof content === 'string' ? content : ''
