import { isObject, type JsonObject } from '../../pattern/index.ts'
import type { Backend, Spent, Told } from '../backend.ts'
import { stepOf } from '../step.ts'
import { type Fault, kindOfStatus } from '../trouble.ts'

/** Its own rules that deny still count. */
const WORKING = [
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

const CHANGING = ['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Task', 'Agent', 'Skill']

/** It tries ten times, for minutes, before it says so itself. */
const TRIES = 3

export const claude: Backend = {
  id: 'claude',
  title: 'Claude Code',
  program: 'claude',
  install: 'install it with `npm install -g @anthropic-ai/claude-code`',
  signIn: 'start `claude` and run /login, or set ANTHROPIC_API_KEY',
  suits: ['web_app', 'api', 'mobile', 'feature', 'refactor', 'planning', 'code_review', 'security_review', 'other'],
  commands: ['.claude/commands/*.md'],
  skills: ['.claude/skills/*/SKILL.md'],

  session:
    /^(CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SSE_PORT|SESSION_ID|EXECPATH|REMOTE)|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE)$/,

  launch({ mode }) {
    // whatever the person allows it elsewhere: an answer changes nothing
    const may =
      mode === 'prompt'
        ? ['default', '--disallowedTools', CHANGING.join(',')]
        : ['acceptEdits', '--allowedTools', WORKING.join(',')]
    return { args: ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', ...may] }
  },

  hear(line) {
    switch (line.type) {
      case 'system':
        return line.subtype === 'init' ? sessionOf(line) : line.subtype === 'api_retry' ? retried(line) : []
      case 'assistant':
        return partsOf(line)
      case 'result':
        return [...spentOf(line), ...faultIn(line), endOf(line)]
      default:
        return []
    }
  },
}

const sessionOf = ({ session_id }: JsonObject): readonly Told[] =>
  typeof session_id === 'string' ? [{ kind: 'session', id: session_id }] : []

/** As it names what the server said: `SDKAssistantMessageError` of its SDK. */
const NAMED: Readonly<Record<string, Fault>> = {
  authentication_failed: 'signed-out',
  oauth_org_not_allowed: 'signed-out',
  cloud_credential_error: 'signed-out',
  rate_limit: 'quota',
  billing_error: 'quota',
}

const named = (error: unknown): Fault | undefined =>
  typeof error === 'string' && Object.hasOwn(NAMED, error) ? NAMED[error] : undefined

function retried({ attempt, error_status, error }: JsonObject): readonly Told[] {
  const why = `${error ?? 'an error'}, status ${error_status ?? 'unknown'}`
  const trouble = named(error) ?? kindOfStatus(error_status)
  const isOver = trouble === 'signed-out' || Number(attempt) >= TRIES
  return isOver && trouble ? [{ kind: 'trouble', trouble, why }] : []
}

/** An error of a subagent is its own: whoever sent it may go on. */
function partsOf({ message, error, parent_tool_use_id }: JsonObject): readonly Told[] {
  const content = isObject(message) && Array.isArray(message.content) ? message.content : []
  const parts = content.filter(isObject).flatMap((part): Told[] => {
    if (part.type === 'tool_use' && typeof part.name === 'string')
      return [stepOf(part.name, isObject(part.input) ? part.input : {})]
    return part.type === 'text' && typeof part.text === 'string' ? [{ kind: 'said', text: part.text }] : []
  })
  return [...parts, ...faults(typeof parent_tool_use_id === 'string' ? undefined : named(error))]
}

const faults = (fault: Fault | undefined): readonly Told[] => (fault ? [{ kind: 'fault', fault }] : [])

/** How its own lines begin, in versions that give no status. */
const OWN_WORDS: readonly (readonly [RegExp, Fault])[] = [
  [/^(?:Not logged in|Invalid API key|Please run \/login|OAuth token (?:has expired|revoked))/, 'signed-out'],
  [/^(?:Claude (?:AI )?usage limit reached|You've hit your \w*\s?limit|Credit balance is too low)/, 'quota'],
]

/** Only where the server failed it: it says `success` then, and an error. */
function faultIn({ is_error, subtype, api_error_status, result }: JsonObject): readonly Told[] {
  if (is_error !== true || subtype !== 'success') return []
  const text = typeof result === 'string' ? result : ''
  const status = api_error_status ?? /^API Error: (\d{3})\b/.exec(text)?.[1]
  return faults(kindOfStatus(status) ?? OWN_WORDS.find(([words]) => words.test(text))?.[1])
}

function spentOf({ usage, total_cost_usd }: JsonObject): readonly Told[] {
  if (!isObject(usage)) return []
  const cached = Number(usage.cache_read_input_tokens ?? 0)
  const input = Number(usage.input_tokens ?? 0) + Number(usage.cache_creation_input_tokens ?? 0) + cached
  const spent: Spent = { input, output: Number(usage.output_tokens ?? 0), cached }
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

function endOf({ is_error, result, subtype }: JsonObject): Told {
  const text = typeof result === 'string' ? result : ''
  return { kind: 'ended', ok: is_error !== true && subtype === 'success', text: text || `it ended with ${subtype}` }
}
