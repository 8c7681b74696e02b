import { isObject, type JsonObject } from '../../../lib/json.ts'
import type { Backend, BackendEvent, BackendFault } from './backend.ts'
import { toStepEvent } from './step-text.ts'
import { faultOfStatus } from './trouble.ts'

const MAX_TRIES = 3

export const geminiBackend: Backend = {
  id: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  install: 'install it with `npm install -g @google/gemini-cli`',
  signIn: 'start `gemini` and sign in, or set GEMINI_API_KEY',
  preferredIntents: ['research', 'analysis', 'question', 'docs', 'data'],
  commands: ['.gemini/commands/*.toml'],
  skills: ['.gemini/skills/*/SKILL.md'],

  session: /^(GEMINI_CLI|GEMINI_SESSION_ID|GEMINI_PROJECT_DIR|GEMINI_CWD)$/,

  launch: ({ mode }) => ({
    args: ['--output-format', 'stream-json', '--approval-mode', mode === 'prompt' ? 'plan' : 'yolo'],
    // without it, an unknown folder is untrusted: hooks do not run there, and headless mode does not start
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  }),

  parseLine(line) {
    switch (line.type) {
      case 'init':
        return typeof line.session_id === 'string' ? [{ kind: 'session', id: line.session_id }] : []
      case 'tool_use':
        return [toStepEvent(String(line.tool_name), isObject(line.parameters) ? line.parameters : {})]
      case 'message':
        return line.role === 'assistant' && typeof line.content === 'string'
          ? [{ kind: 'message', text: line.content, more: line.delta === true }]
          : []
      case 'result':
        return [...usageEvents(line.stats), ...faultEventsOf(line.error), endEvent(line)]
      default:
        return []
    }
  },

  /** Gemini retries for minutes and reports it only on stderr. */
  parseOtherLine(line) {
    const [, attempt, status] = /^Attempt (\d+) failed with status (\d+)/.exec(line) ?? []
    const fault = faultOfStatus(status)
    if (fault && Number(attempt) >= MAX_TRIES) return [{ kind: 'trouble', trouble: fault, why: `status ${status}` }]
    return /^(Invalid auth method|Please set an Auth method|Error authenticating: )/.test(line)
      ? [{ kind: 'trouble', trouble: 'signed-out', why: line.replace(/\.$/, '') }]
      : []
  },
}

function usageEvents(stats: unknown): readonly BackendEvent[] {
  if (!isObject(stats)) return []
  const [input, output, cached] = [stats.input_tokens, stats.output_tokens, stats.cached].map(value =>
    Number(value ?? 0),
  )
  return [{ kind: 'spent', spent: { input: input ?? 0, output: output ?? 0, cached: cached ?? 0 } }]
}

const FAULT_BY_TYPE: Readonly<Record<string, BackendFault>> = {
  FatalAuthenticationError: 'signed-out',
  TerminalQuotaError: 'quota',
  RetryableQuotaError: 'quota',
}
const FAULT_BY_STATUS: Readonly<Record<string, BackendFault>> = {
  UNAUTHENTICATED: 'signed-out',
  PERMISSION_DENIED: 'signed-out',
  RESOURCE_EXHAUSTED: 'quota',
}

/** Uses the error's type, else the server's status, which the message contains as JSON or as `(Status: …)`. */
function faultEventsOf(error: unknown): readonly BackendEvent[] {
  if (!isObject(error)) return []
  const { type, message } = error
  const [, apiError = ''] = /^\[API Error: ([\s\S]*)\]/.exec(String(message)) ?? []
  const status = /\(Status: (\w+)\)$/.exec(apiError)?.[1] ?? ''
  const isEmpty = /^You have exhausted your (?:capacity|daily quota)\b/.test(apiError)
  const fault =
    lookUpFault(FAULT_BY_TYPE, String(type)) ??
    lookUpFault(FAULT_BY_STATUS, status) ??
    faultInJson(apiError) ??
    (isEmpty ? 'quota' : undefined)
  return fault ? [{ kind: 'fault', fault }] : []
}

const lookUpFault = (table: Readonly<Record<string, BackendFault>>, name: string): BackendFault | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

function faultInJson(text: string): BackendFault | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && isObject(value.error) ? faultOfStatus(value.error.code) : undefined
  } catch {
    return undefined
  }
}

function endEvent({ status, error }: JsonObject): BackendEvent {
  if (status === 'success') return { kind: 'ended', ok: true }
  const why = isObject(error) && typeof error.message === 'string' ? error.message : `it stopped with ${status}`
  return { kind: 'ended', ok: false, text: why }
}
