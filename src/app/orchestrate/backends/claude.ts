import { isObject, type JsonObject } from '../../../lib/json.ts'
import type { Backend, BackendEvent, BackendFault, BackendUsage } from './backend.ts'
import { toStepEvent } from './step-text.ts'
import { faultOfStatus } from './trouble.ts'

/** The agent's own deny rules still apply. */
const ALLOWED_TOOLS = [
  'Bash',
  'Edit',
  'MultiEdit',
  'Write',
  'NotebookEdit',
  'Task',
  'Agent',
  'Skill',
  'WebFetch',
  'WebSearch',
]

const CHANGING_TOOLS = ['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Task', 'Agent', 'Skill']

/** The agent itself retries ten times, for minutes, before it reports an error. */
const MAX_TRIES = 3

export const claudeBackend: Backend = {
  id: 'claude',
  title: 'Claude Code',
  program: 'claude',
  install: 'install it with `npm install -g @anthropic-ai/claude-code`',
  signIn: 'start `claude` and run /login, or set ANTHROPIC_API_KEY',
  preferredIntents: [
    'web_app',
    'api',
    'mobile',
    'feature',
    'refactor',
    'planning',
    'code_review',
    'security_review',
    'other',
  ],
  commands: ['.claude/commands/*.md'],
  skills: ['.claude/skills/*/SKILL.md'],

  session:
    /^(CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SSE_PORT|SESSION_ID|EXECPATH|REMOTE)|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE)$/,

  launch({ mode }) {
    // a question must change nothing, whatever the person's settings allow
    const may =
      mode === 'prompt'
        ? ['default', '--disallowedTools', CHANGING_TOOLS.join(',')]
        : ['acceptEdits', '--allowedTools', ALLOWED_TOOLS.join(',')]
    return { args: ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', ...may] }
  },

  parseLine(line) {
    switch (line.type) {
      case 'system':
        return line.subtype === 'init' ? sessionEvents(line) : line.subtype === 'api_retry' ? retryEvents(line) : []
      case 'assistant':
        return messageEvents(line)
      case 'result':
        return [...usageEvents(line), ...faultEventsOf(line), endEvent(line)]
      default:
        return []
    }
  },
}

const sessionEvents = ({ session_id }: JsonObject): readonly BackendEvent[] =>
  typeof session_id === 'string' ? [{ kind: 'session', id: session_id }] : []

/** Names of server errors: `SDKAssistantMessageError` of the SDK. */
const FAULT_BY_NAME: Readonly<Record<string, BackendFault>> = {
  authentication_failed: 'signed-out',
  oauth_org_not_allowed: 'signed-out',
  cloud_credential_error: 'signed-out',
  rate_limit: 'quota',
  billing_error: 'quota',
}

const faultByName = (error: unknown): BackendFault | undefined =>
  typeof error === 'string' && Object.hasOwn(FAULT_BY_NAME, error) ? FAULT_BY_NAME[error] : undefined

function retryEvents({ attempt, error_status, error }: JsonObject): readonly BackendEvent[] {
  const why = `${error ?? 'an error'}, status ${error_status ?? 'unknown'}`
  const fault = faultByName(error) ?? faultOfStatus(error_status)
  const isOver = fault === 'signed-out' || Number(attempt) >= MAX_TRIES
  return isOver && fault ? [{ kind: 'trouble', trouble: fault, why }] : []
}

/** An error of a subagent is ignored: the agent that started it may go on. */
function messageEvents({ message, error, parent_tool_use_id }: JsonObject): readonly BackendEvent[] {
  const content = isObject(message) && Array.isArray(message.content) ? message.content : []
  const parts = content.filter(isObject).flatMap((part): BackendEvent[] => {
    if (part.type === 'tool_use' && typeof part.name === 'string')
      return [toStepEvent(part.name, isObject(part.input) ? part.input : {})]
    return part.type === 'text' && typeof part.text === 'string' ? [{ kind: 'message', text: part.text }] : []
  })
  return [...parts, ...faultEvents(typeof parent_tool_use_id === 'string' ? undefined : faultByName(error))]
}

const faultEvents = (fault: BackendFault | undefined): readonly BackendEvent[] =>
  fault ? [{ kind: 'fault', fault }] : []

/** How the error messages of versions without a status begin. */
const FAULT_TEXTS: readonly (readonly [RegExp, BackendFault])[] = [
  [/^(?:Not logged in|Invalid API key|Please run \/login|OAuth token (?:has expired|revoked))/, 'signed-out'],
  [/^(?:Claude (?:AI )?usage limit reached|You've hit your \w*\s?limit|Credit balance is too low)/, 'quota'],
]

/** Only for server errors, which are reported as `success` with `is_error`. */
function faultEventsOf({ is_error, subtype, api_error_status, result }: JsonObject): readonly BackendEvent[] {
  if (is_error !== true || subtype !== 'success') return []
  const text = typeof result === 'string' ? result : ''
  const status = api_error_status ?? /^API Error: (\d{3})\b/.exec(text)?.[1]
  return faultEvents(faultOfStatus(status) ?? FAULT_TEXTS.find(([words]) => words.test(text))?.[1])
}

function usageEvents({ usage, total_cost_usd }: JsonObject): readonly BackendEvent[] {
  if (!isObject(usage)) return []
  const cached = Number(usage.cache_read_input_tokens ?? 0)
  const input = Number(usage.input_tokens ?? 0) + Number(usage.cache_creation_input_tokens ?? 0) + cached
  const spent: BackendUsage = { input, output: Number(usage.output_tokens ?? 0), cached }
  return [
    {
      kind: 'spent',
      spent:
        typeof total_cost_usd === 'number' && Number.isFinite(total_cost_usd)
          ? { ...spent, costUsd: total_cost_usd }
          : spent,
    },
  ]
}

function endEvent({ is_error, result, subtype }: JsonObject): BackendEvent {
  const text = typeof result === 'string' ? result : ''
  return { kind: 'ended', ok: is_error !== true && subtype === 'success', text: text || `it stopped with ${subtype}` }
}
