import { isObject, type JsonObject } from '../../../lib/json.ts'
import type { Backend, BackendEvent, BackendFault } from './backend.ts'
import { shortenLine, toStepEvent } from './step-text.ts'
import { faultOfStatus } from './trouble.ts'

export const codexBackend: Backend = {
  id: 'codex',
  title: 'Codex CLI',
  program: 'codex',
  install: 'install it with `npm install -g @openai/codex`',
  signIn: "run `codex login`, or set your provider's API key",
  preferredIntents: ['bug_fix', 'script', 'test', 'performance', 'devops', 'chore'],
  commands: ['.codex/prompts/*.md'],
  skills: ['.codex/skills/*/SKILL.md', '.agents/skills/*/SKILL.md'],

  session: /^CODEX_(THREAD_ID|CI|SANDBOX\w*|MANAGED\w*)$/,

  launch: ({ mode }) => ({
    args: ['exec', '--json', '--skip-git-repo-check', '--sandbox', mode === 'prompt' ? 'read-only' : 'workspace-write'],
    last: ['-'],
  }),

  parseLine(line) {
    const { type, item } = line
    if (type === 'thread.started') return [{ kind: 'session', id: String(line.thread_id) }]
    if (type === 'item.started' && isObject(item)) return itemStartEvents(item)
    if (type === 'item.completed' && isObject(item) && item.type === 'agent_message')
      return [{ kind: 'message', text: String(item.text) }]
    if (type === 'turn.completed') return [...usageEvents(line.usage), { kind: 'ended', ok: true }]
    if (type === 'turn.failed') return failureEvents(errorMessageOf(line.error))
    return []
  },
}

/** A file change becomes one step for each file. */
function itemStartEvents(item: JsonObject): readonly BackendEvent[] {
  switch (item.type) {
    case 'command_execution':
      return [toStepEvent('run', { command: unwrapShell(String(item.command)) })]
    case 'file_change':
      return (Array.isArray(item.changes) ? item.changes : []).filter(isObject).map(({ kind, path }) => ({
        kind: 'step',
        text: `${kind} ${shortenLine(String(path))}`,
        file: String(path),
      }))
    case 'mcp_tool_call':
      return [{ kind: 'step', text: `${item.server} ${item.tool}` }]
    case 'web_search':
      return [{ kind: 'step', text: `search ${shortenLine(String(item.query))}` }]
    default:
      return []
  }
}

/** `/bin/bash -lc 'ls src'` becomes `ls src`. */
const unwrapShell = (command: string): string => /^\S*sh -l?c (['"]?)([\s\S]*)\1$/.exec(command)?.[2] ?? command

function usageEvents(usage: unknown): readonly BackendEvent[] {
  if (!isObject(usage)) return []
  const { input_tokens = 0, output_tokens = 0, cached_input_tokens = 0 } = usage
  const spent = { input: Number(input_tokens), output: Number(output_tokens), cached: Number(cached_input_tokens) }
  return [{ kind: 'spent', spent }]
}

/** Codex reports errors only as text. These are its own messages (`CodexErr`); the server's message follows them. */
const STATUS_TEXT = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/
const FAULT_TEXTS: readonly (readonly [RegExp, BackendFault])[] = [
  [/^(?:You've hit your usage limit|Quota exceeded\.|To use Codex with your ChatGPT plan)/, 'quota'],
  [/^stream disconnected before completion: Rate limit reached for /, 'quota'],
  [/^(?:Your access token could not be refreshed|Missing environment variable: `\w*KEY`)/, 'signed-out'],
]

function failureEvents(message: string): readonly BackendEvent[] {
  const text = message.replace(/^Error running remote compact task: /, '')
  const fault = faultOfStatus(STATUS_TEXT.exec(text)?.[1]) ?? FAULT_TEXTS.find(([words]) => words.test(text))?.[1]
  return [...(fault ? [{ kind: 'fault', fault } as const] : []), { kind: 'ended', ok: false, text: message }]
}

const errorMessageOf = (error: unknown): string =>
  isObject(error) && typeof error.message === 'string' ? error.message : 'the turn failed'
