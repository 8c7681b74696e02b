import { describe, expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { withInProcessSandbox } from '../support/in-process-sandbox.ts'

const POLICY = `gates:
  push: { rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Not today. }] }
`
const isDenyReply = ({ exitCode, stdout }: { readonly exitCode: number | null; readonly stdout: string }): boolean =>
  exitCode === 2 || /"(?:decision|permissionDecision|behavior)":"(?:block|deny|ask)"/.test(stdout)

const LINE = { command: 'git push origin main' }

/** A call as agents and models write it, in an event that no client has. */
const SHAPES: Readonly<Record<string, JsonObject>> = {
  'tool_name and tool_input': { tool_name: 'Bash', tool_input: LINE },
  'toolName and toolArgs': { toolName: 'bash', toolArgs: JSON.stringify(LINE) },
  'a tool that nobody knows': { tool_name: 'frob', tool_input: { cmd: 'git push' } },
  'tool and args': { tool: 'shell', args: LINE },
  'a tool with a name': { tool: { name: 'Bash', input: LINE } },
  'a tool_call': { tool_call: { name: 'Bash', arguments: JSON.stringify(LINE) } },
  'a tool_call with a function': { tool_call: { function: { name: 'bash', arguments: JSON.stringify(LINE) } } },
  'a list with one call': { tool_calls: [{ name: 'Bash', input: LINE }] },
  "a plugin's input and output": { input: { tool: 'bash' }, output: { args: LINE } },
  'a bare command': LINE,
  'a bare list of words': { command: ['git', 'push'] },
}

/** Agents that run the hooks in another agent's settings, as their documentation says what they send. */
const FOREIGN: Readonly<Record<string, JsonObject>> = {
  'Grok Build': {
    ...{ hookEventName: 'PreToolUse', sessionId: 's', cwd: '/home/dev/proj', workspaceRoot: '/home/dev/proj' },
    ...{ toolName: 'run_terminal_command', toolInput: LINE },
  },
  'Grok Build, in snake case': { hookEventName: 'pre_tool_use', sessionId: 's', toolName: 'bash', toolInput: LINE },
  'VS Code': {
    ...{ timestamp: '2026-02-09T10:30:00.000Z', cwd: '/home/dev/proj', sessionId: 's', hookEventName: 'PreToolUse' },
    ...{ tool_name: 'run_in_terminal', tool_input: { ...LINE, explanation: 'x', isBackground: false } },
  },
  Cline: { hookName: 'PreToolUse', taskId: 't', preToolUse: { toolName: 'execute_command', parameters: LINE } },
  'no name of the event': { session_id: 's', tool_name: 'Bash', tool_input: LINE },
  'no name of the event, and a tool_call': { session_id: 's', tool_call: { name: 'Bash', arguments: LINE } },
  Windsurf: {
    ...{ agent_action_name: 'pre_run_command', trajectory_id: 't', execution_id: 'e' },
    tool_info: { command_line: LINE.command, cwd: '/home/dev/proj' },
  },
  "Windsurf's MCP tools": {
    agent_action_name: 'pre_mcp_tool_use',
    tool_info: { mcp_server_name: 'sh', mcp_tool_name: 'exec', mcp_tool_arguments: LINE },
  },
  'a call of a model': { type: 'tool_use', id: '1', tool: { name: 'bash', input: LINE } },
}

const payloadOf = (name: string, more: JsonObject, id: string): string =>
  JSON.stringify({
    ...{ [id === 'generic' ? 'event' : 'hook_event_name']: name, session_id: 's', cwd: '/home/dev/proj' },
    ...more,
  })

describe.each(clients.map(client => ({ id: client.id, client })))(
  '$id: an event that nobody knows',
  ({ id, client }) => {
    it('with a call is judged like a call, however it is written', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        for (const [shape, payload] of Object.entries(SHAPES)) {
          const reply = await sandbox.hookInProcess(id, payloadOf('BeforeEverything', payload, id))
          expect({ shape, denied: isDenyReply({ ...reply, exitCode: reply.exitCode === 2 ? 2 : 0 }) }).toEqual({
            shape,
            denied: true,
          })
          expect(reply.stdout + reply.stderr).toContain('Not today.')
        }
        expect(new Set(sandbox.records().map(({ name, event }) => `${name} ${event}`))).toEqual(
          new Set(['BeforeEverything tool.before']),
        )
      }))

    it('with a call that passes is named to the person, or to the agent where nobody is shown anything', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        const reply = await sandbox.hookInProcess(
          id,
          payloadOf('BeforeEverything', { tool_name: 'Bash', tool_input: { command: 'ls' } }, id),
        )
        const shows = Object.values(client.capabilities.events).some(one => one?.message || one?.context)
        expect(reply.exitCode).toBe(0)
        if (client.capabilities.events['tool.before']?.message || !shows)
          expect(reply.stdout).toContain('BeforeEverything')
      }))

    it('is judged in the words of another agent that runs these hooks, and refused by an exit code where there is one', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        for (const [agent, payload] of Object.entries(FOREIGN)) {
          const reply = await sandbox.hookInProcess(id, JSON.stringify(payload))
          const denied = isDenyReply({ ...reply, exitCode: reply.exitCode === 2 ? 2 : 0 })
          expect({ agent, denied }).toEqual({ agent, denied: true })
          expect(reply.stdout + reply.stderr).toContain('Not today.')
          const hasExitCode = client.failure('closed', {}, '').exitCode === 2
          if (hasExitCode && 'hookEventName' in payload)
            expect({ agent, code: reply.exitCode }).toEqual({ agent, code: 2 })
        }
      }))

    it('with an edit that names no tool is judged like an edit', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        const edit = { file_path: '.claude/settings.json', edits: [{ old_string: 'a', new_string: 'b' }] }
        const reply = await sandbox.hookInProcess(id, payloadOf('BeforeFileEdit', edit, id))
        expect(isDenyReply({ ...reply, exitCode: reply.exitCode === 2 ? 2 : 0 })).toBe(true)
      }))

    it('with a byte order mark in front of it is judged like a call', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        const payload = payloadOf('BeforeEverything', { tool_name: 'Bash', tool_input: LINE }, id)
        const reply = await sandbox.hookInProcess(id, `\uFEFF${payload}`)
        expect(reply.stdout + reply.stderr).toContain('Not today.')
      }))

    it('with an input and no tool is refused under closed, and reported under open', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        const payload = payloadOf('BeforeEverything', { tool_input: { frob: 'x' } }, id)
        const closed = await sandbox.hookInProcess(id, payload, { args: ['--on-error', 'closed'] })
        expect(isDenyReply({ ...closed, exitCode: closed.exitCode === 2 ? 2 : 0 })).toBe(true)
        const open = await sandbox.hookInProcess(id, payload)
        expect(open.stdout + open.stderr).toContain('BeforeEverything')
      }))

    it('with several calls is refused under closed, and reported under open', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        const calls = {
          tool_calls: [
            { name: 'Bash', input: LINE },
            { name: 'Bash', input: LINE },
          ],
        }
        const closed = await sandbox.hookInProcess(id, payloadOf('BeforeEverything', calls, id), {
          args: ['--on-error', 'closed'],
        })
        expect(isDenyReply({ ...closed, exitCode: closed.exitCode === 2 ? 2 : 0 })).toBe(true)
        const open = await sandbox.hookInProcess(id, payloadOf('BeforeEverything', calls, id))
        expect(open.exitCode).toBe(0)
        expect(open.stdout + open.stderr).toContain('BeforeEverything')
      }))

    it('without a call, or about a call of the past, passes as before', () =>
      withInProcessSandbox({ project: POLICY }, async sandbox => {
        for (const [name, payload] of [
          ['SomethingHappened', { file_path: 'a.ts', message: 'git push' }],
          ['AfterEverything', { tool_name: 'Bash', tool_input: LINE }],
          ['CallDenied', { tool_name: 'Bash', tool_input: LINE }],
          ['ToolSeen', { tool_name: 'Bash', tool_input: LINE, tool_response: 'ok' }],
        ] as const) {
          const args = ['--on-error', 'closed']
          const reply = await sandbox.hookInProcess(id, payloadOf(name, payload, id), { args })
          expect({ name, denied: isDenyReply({ ...reply, exitCode: reply.exitCode === 2 ? 2 : 0 }) }).toEqual({
            name,
            denied: false,
          })
        }
      }))
  },
)
