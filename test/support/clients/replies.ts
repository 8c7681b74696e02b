import { objectField, stringField } from '../../../src/clients/adapter/decode.ts'
import type { Reply } from '../../../src/clients/index.ts'
import type { Decision } from '../../../src/engine/index.ts'
import { isObject, type JsonObject } from '../../../src/lib/json.ts'

/** What a client makes of a reply: as it was observed to, not as we would like it to. */
export interface Understood {
  readonly decision: Decision
  readonly reason: string
  readonly context: string
  readonly message: string
  /** the call's input from now on */
  readonly input?: JsonObject
}

type Reader = (words: JsonObject, event: string) => Partial<Understood>

/** Exit 2 with words on stderr and nothing on stdout is the one denial that holds everywhere; exit 1 is an approval. */
export function understood(client: string, reply: Reply, event: string): Understood {
  const silent = { decision: 'pass' as const, reason: '', context: '', message: '' }
  if (reply.exitCode === 2 && reply.stdout === '' && reply.stderr !== '')
    return { ...silent, decision: 'deny', reason: reply.stderr }
  if (reply.stdout === '') return silent
  const words: unknown = JSON.parse(reply.stdout)
  if (!isObject(words)) throw new Error(`not an object: ${reply.stdout}`)
  const reader = READERS[client]
  if (!reader) throw new Error(`nobody knows how ${client} reads a reply`)
  return { ...silent, ...reader(words, event) }
}

/** A `hookSpecificOutput` of another event voids the whole object; `decision: "deny"` at the top is not read. */
const claudeCode: Reader = (words, event) => {
  const inner = objectField(words, 'hookSpecificOutput')
  if (words.hookSpecificOutput !== undefined && inner.hookEventName !== event) return {}
  const updated = inner.updatedInput ?? objectField(inner, 'decision').updatedInput
  const said = {
    context: stringField(inner, 'additionalContext') ?? '',
    message: stringField(words, 'systemMessage') ?? '',
    ...(isObject(updated) && { input: updated }),
  }
  if (words.decision === 'block') return { ...said, decision: 'deny', reason: stringField(words, 'reason') ?? '' }
  const request = objectField(inner, 'decision')
  if (request.behavior === 'deny') return { ...said, decision: 'deny', reason: stringField(request, 'message') ?? '' }
  if (request.behavior === 'allow') return { ...said, decision: 'allow' }
  const decision = inner.permissionDecision
  return decision === 'deny' || decision === 'ask' || decision === 'allow'
    ? { ...said, decision, reason: stringField(inner, 'permissionDecisionReason') ?? '' }
    : said
}

/** Keys each event takes (0.166.0). One more, or a word it does not know, and nothing of the reply counts. */
const CODEX: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['continue', 'stopReason', 'systemMessage', 'additionalContext'],
  UserPromptSubmit: ['continue', 'stopReason', 'systemMessage', 'decision', 'reason', 'additionalContext'],
  PreToolUse: [
    ...['systemMessage', 'permissionDecision', 'permissionDecisionReason'],
    ...['updatedInput', 'additionalContext'],
  ],
  PermissionRequest: ['systemMessage', 'decision'],
  PostToolUse: ['continue', 'stopReason', 'systemMessage', 'decision', 'reason', 'additionalContext'],
  SubagentStart: ['systemMessage', 'additionalContext'],
  SubagentStop: ['continue', 'stopReason', 'systemMessage', 'decision', 'reason'],
  Stop: ['continue', 'stopReason', 'systemMessage', 'decision', 'reason'],
  PreCompact: ['continue', 'stopReason', 'systemMessage'],
}

/** As Claude Code, but strict; a bare `allow` and a question are errors. */
const codexCli: Reader = (words, event) => {
  const { hookSpecificOutput: _, ...outer } = words
  const { hookEventName: __, ...inner } = objectField(words, 'hookSpecificOutput')
  const known = CODEX[event] ?? []
  if (![...Object.keys(outer), ...Object.keys(inner)].every(key => known.includes(key))) return {}
  const allowed = inner.permissionDecision === 'allow'
  if (inner.permissionDecision === 'ask' || allowed !== (inner.updatedInput !== undefined)) return {}
  return { ...claudeCode(words, event), ...(allowed && { decision: 'pass' }) }
}

/** Flat, each event by its own word, in either spelling of it; nothing is shown to the person (1.0.102). */
const copilotCli: Reader = (words, event) => {
  const name = event.toLowerCase()
  const refusable = ['userpromptsubmitted', 'userpromptsubmit', 'posttooluse', 'agentstop', 'stop', 'subagentstop']
  const told = ['sessionstart', 'userpromptsubmitted', 'userpromptsubmit', 'pretooluse', 'posttooluse']
  const heard = [...told, 'posttoolusefailure'].includes(name)
  const said = { context: (heard && stringField(words, 'additionalContext')) || '' }
  if (name === 'permissionrequest')
    return words.behavior === 'allow' || words.behavior === 'deny'
      ? { ...said, decision: words.behavior, reason: stringField(words, 'message') ?? '' }
      : said
  if (name !== 'pretooluse')
    return refusable.includes(name) && words.decision === 'block'
      ? { ...said, decision: 'deny', reason: stringField(words, 'reason') ?? '' }
      : said
  const decision = words.permissionDecision
  return {
    ...said,
    ...(isObject(words.modifiedArgs) && { input: words.modifiedArgs }),
    ...((decision === 'allow' || decision === 'ask' || decision === 'deny') && { decision }),
    reason: stringField(words, 'permissionDecisionReason') ?? '',
  }
}

/**
 * `permissionDecision` is not read; the question of an `ask` is its system message; `allow` is no opinion. A `tool_input` is
 * read at BeforeTool, once nothing was refused.
 */
const geminiCli: Reader = (words, event) => {
  const inner = objectField(words, 'hookSpecificOutput')
  const heard = ['BeforeAgent', 'AfterTool', 'SessionStart'].includes(event)
  const message = stringField(words, 'systemMessage') ?? ''
  const context = (heard && stringField(inner, 'additionalContext')) || ''
  const said = {
    context,
    message,
    ...(event === 'BeforeTool' && isObject(inner.tool_input) && { input: inner.tool_input }),
  }
  if (words.decision === 'deny' || words.decision === 'block')
    return { ...said, decision: 'deny', reason: stringField(words, 'reason') ?? '' }
  return words.decision === 'ask' ? { ...said, decision: 'ask', reason: message } : said
}

const generic: Reader = words => {
  const warning = stringField(words, 'warning') ?? ''
  const said = { context: warning, message: warning }
  if (words.decision === 'block') return { ...said, decision: 'deny', reason: stringField(words, 'reason') ?? '' }
  if (words.decision !== 'approve') throw new Error('neither approve nor block')
  return { ...said, decision: 'allow' }
}

/**
 * As read in 0.24.4: `hookEventName` is not looked at; what is decided at the top counts too; after a call only words are read; a
 * message is shown at Stop, and with a permission request to clients that show how hooks fare.
 */
const qwenCode: Reader = (words, event) => {
  const inner = objectField(words, 'hookSpecificOutput')
  const heard = !['PreToolUse', 'Stop', 'SubagentStop', 'PreCompact', 'PermissionRequest'].includes(event)
  const shown = ['Stop', 'PermissionRequest'].includes(event)
  const request = event === 'PermissionRequest' ? objectField(inner, 'decision') : {}
  const said = {
    context: (heard && stringField(inner, 'additionalContext')) || '',
    message: (shown && stringField(words, 'systemMessage')) || '',
    ...(isObject(request.updatedInput) && { input: request.updatedInput }),
  }
  if (request.behavior === 'deny') return { ...said, decision: 'deny', reason: stringField(request, 'message') ?? '' }
  if (request.behavior === 'allow') return { ...said, decision: 'allow' }
  const refusable = ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop'].includes(event)
  const word = event === 'PreToolUse' ? (inner.permissionDecision ?? words.decision) : words.decision
  const reason = stringField(inner, 'permissionDecisionReason') ?? stringField(words, 'reason') ?? ''
  if (refusable && (word === 'deny' || word === 'block' || words.continue === false))
    return { ...said, decision: 'deny', reason }
  return event === 'PreToolUse' && word === 'ask' ? { ...said, decision: 'ask', reason } : said
}

/** Our own plugin: it heeds what its hook can carry out, and nothing else. */
const opencode: Reader = (words, event) => {
  const refusable = ['tool.execute.before', 'chat.message', 'session.idle'].includes(event)
  const heard = ['tool.execute.after', 'chat.message'].includes(event)
  return {
    context: (heard && stringField(words, 'context')) || '',
    message: stringField(words, 'message') ?? '',
    ...(event === 'tool.execute.before' && isObject(words.input) && { input: words.input }),
    ...(refusable &&
      words.decision === 'deny' && { decision: 'deny' as const, reason: stringField(words, 'reason') ?? '' }),
  }
}

/** As documented: each event reads its own keys; a `permission` it does not know blocks. */
const cursor: Reader = (words, event) => {
  const shown = ['sessionStart', 'beforeSubmitPrompt', 'preCompact'].includes(event)
  const message = stringField(words, 'user_message') ?? ''
  const said = {
    context: stringField(words, 'additional_context') ?? '',
    message: shown ? message : '',
    ...(event === 'preToolUse' && isObject(words.updated_input) && { input: words.updated_input }),
  }
  if (words.continue === false || words.followup_message !== undefined)
    return { ...said, decision: 'deny', reason: stringField(words, 'followup_message') ?? message }
  const { permission } = words
  if (permission === undefined) return said
  const known = permission === 'allow' || permission === 'ask' || permission === 'deny'
  return { ...said, decision: known ? permission : 'deny', reason: message }
}

const READERS: Readonly<Record<string, Reader>> = {
  'claude-code': claudeCode,
  'codex-cli': codexCli,
  'copilot-cli': copilotCli,
  cursor,
  'gemini-cli': geminiCli,
  generic,
  opencode,
  'qwen-code': qwenCode,
}
