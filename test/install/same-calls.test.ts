import { describe, expect, it } from 'vitest'
import { openProject } from '../../src/app/cli/project.ts'
import { clientById, DecodeError } from '../../src/clients/index.ts'
import type { Event } from '../../src/engine/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { subHooksFor } from '../../src/hook/subhooks/sub-hooks.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames } from '../support/clients/captures.ts'
import { withInProcessSandbox } from '../support/in-process-sandbox.ts'
import { adopted, policyOf } from './adopting.ts'
import { MATCHES } from './client-matchers.ts'

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['claude-code-2.1.197', 'claude-code-2.1.325'],
  'codex-cli': ['codex-cli-0.166.0'],
  'copilot-cli': ['copilot-cli-1.0.102'],
  cursor: ['cursor-documented'],
  'gemini-cli': ['gemini-cli-0.61.0'],
  'qwen-code': ['qwen-code-0.24.4'],
}

/** Events of tools, by each client's own name, and more names of tools than were recorded. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'],
  'codex-cli': ['PreToolUse', 'PostToolUse', 'PermissionRequest'],
  'copilot-cli': ['preToolUse', 'postToolUse', 'postToolUseFailure', 'permissionRequest'],
  cursor: ['preToolUse', 'postToolUse', 'postToolUseFailure'],
  'gemini-cli': ['BeforeTool', 'AfterTool'],
  'qwen-code': ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'],
}
const MORE = [
  ...['Task', 'edit', 'EDIT', 'Write', 'NotebookEdit', 'View', 'Bash', 'apply_patch', 'spawn_agent', 'Shell', 'Delete'],
  ...['mcp__github__create_issue', 'mcp__plugin_x_github__create_issue', 'mcp_github_create_issue', 'MCP:create_issue'],
  ...['write_file', 'replace', 'run_shell_command', 'view', 'str_replace_editor', 'mcp_fs_write_file'],
]
const MATCHERS = [
  ...['', '*', '.*', 'Edit', 'Edit|Write', 'Edit, Write', 'Task', '^Task$', 'Edit.*', '^(Edit|Write)$', 'Bash|Shell'],
  ...[
    'write_file|replace',
    'write_file',
    '^write_file$',
    '.*_file',
    'run_shell_command',
    'edit',
    '[Ee]dit',
    '^mcp__.*',
  ],
  ...[
    'mcp__github__create_issue',
    'mcp__github__.*',
    'mcp__github',
    'str_.*',
    'view',
    'View',
    'no-such-tool',
    '\\w+_\\w+',
  ],
]

const recorded = (client: string): readonly JsonObject[] => {
  const all = (FOLDERS[client] ?? []).flatMap(captureNames).map(capture)
  const named = ['tool_name', 'toolName']
  const tools = all.filter(one => named.some(key => typeof one[key] === 'string'))
  const other = tools.slice(0, 6).flatMap(one => MORE.map(name => ({ ...one, ...renamed(one, name) })))
  return [...all, ...other]
}
const renamed = (payload: JsonObject, name: string): JsonObject => {
  const { mcp_context: _, ...rest } = payload
  return { ...rest, ...('toolName' in payload ? { toolName: name } : { tool_name: name }) }
}

const eventsOf = (client: string, payload: JsonObject): readonly Event[] => {
  try {
    const hint = typeof payload.hookEventName === 'string' ? payload.hookEventName : undefined
    return clientById(client)?.decode(payload, { event: hint }) ?? []
  } catch (error) {
    if (error instanceof DecodeError) return []
    throw error
  }
}

/** What the client matches on is in the payload, under either spelling. */
const toolIn = (payload: JsonObject): string | undefined => {
  const name = payload.tool_name ?? payload.toolName
  return typeof name === 'string' ? name : undefined
}

describe('an adopted hook runs for the very calls that its client ran it for', () => {
  it.each(Object.keys(EVENTS))('%s', async client => {
    const matches = MATCHES[client]
    const flat = client === 'cursor' || client === 'copilot-cli'
    const item = (matcher: string, nth: number) =>
      flat ? { command: `${nth}`, matcher } : { matcher, hooks: [{ type: 'command', command: `${nth}` }] }
    // a file each: where hooks of one event run in turn, several stay
    const settings = MATCHERS.map((matcher, nth) => ({
      hooks: Object.fromEntries((EVENTS[client] ?? []).map(event => [event, [item(matcher, nth)]])),
    }))
    const adoptions = settings.map(one => adopted(client, one))
    const policy = adoptions.reduce((text, one) => policyOf(one, text), '')
    const taken = adoptions.flatMap(one => one.taken)
    expect(taken.length).toBeGreaterThan(MATCHERS.length)
    await withInProcessSandbox({ user: policy }, async ({ project, home }) => {
      const quiet = { out: () => {}, err: () => {}, width: 80, isPerson: false, ask: async () => '' }
      const opened = openProject({ ...quiet, env: { HOME: home, SIGNALBOX_HOME: home }, cwd: project })
      expect(opened.policy.problems).toEqual([])
      const { program } = opened.policy
      expect(program.hooks).toHaveLength(taken.length)
      const facts = { now: 0, env: {} }
      let compared = 0
      for (const payload of recorded(client)) {
        const events = eventsOf(client, payload)
        const name = events[0]?.name
        const tool = toolIn(payload)
        const ran = subHooksFor(events, program, { facts: facts as never, regex }).map(
          ({ run, called }) => `${called} ${run}`,
        )
        const expected = taken
          .filter(
            ({ hook }) =>
              hook.called === name && tool !== undefined && matches?.(MATCHERS[Number(hook.run)] ?? '', tool),
          )
          .map(({ hook }) => `${hook.called} ${hook.run}`)
        expect({ tool, ran }).toEqual({ tool, ran: expected })
        compared += ran.length
      }
      expect(compared).toBeGreaterThan(50)
    })
  })
})
