import type { AuditRecord } from '../../src/store/index.ts'
import type { Told } from '../support/native/hook.ts'

/** What is called in the rounds, and what the trail must hold of it afterwards. */
export const POLICY = `
gates:
  tests-before-commit:
    initial: closed
    onError: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: write } }
    rules: [{ while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Test first. }]
  counted:
    initial: open
    counts: { event: tool.before, tool: "mcp__x__yes*" }
    rules: [{ when: { event: tool.before, tool: "mcp__x__no*" }, then: deny, message: Never. }]
`
export const GATES = { tests: 'user/tests-before-commit', counted: 'user/counted' } as const

type Kind = 'deny' | 'pass' | 'commit' | 'test' | 'edit' | 'prompt' | 'stop'
const KINDS: readonly Kind[] = ['deny', 'pass', 'commit', 'test', 'edit', 'prompt', 'stop']

/** `id` is in what the trail keeps of it, where the event has words of its own. */
export interface Planned {
  readonly id: string
  readonly kind: Kind
  readonly session: string
  readonly payload: string
}

/** A generator of numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function plan(id: string, random: () => number, { cwd, sessions }: { cwd: string; sessions: number }): Planned {
  const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'deny'
  const session = `s${Math.floor(random() * sessions)}`
  const call = (hook_event_name: string, tool_name: string, tool_input: object, more: object = {}) => ({
    hook_event_name,
    tool_name,
    tool_input,
    tool_use_id: `toolu_${id}`,
    ...more,
  })
  // prompts and stops have no id, and all say the same
  const said = {
    deny: call('PreToolUse', `mcp__x__no_${id}`, {}),
    pass: call('PreToolUse', `mcp__x__yes_${id}`, {}),
    commit: call('PreToolUse', 'Bash', { command: `git commit -m ${id}` }),
    test: call(
      'PostToolUse',
      'Bash',
      { command: `npm test -- --reporter=${id}` },
      { tool_response: { stdout: '', exitCode: 0 } },
    ),
    edit: call('PreToolUse', 'Write', { file_path: `${cwd}/${id}.txt`, content: '' }),
    prompt: { hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
    stop: { hook_event_name: 'Stop', stop_hook_active: false },
  }[kind]
  return { id, kind, session, payload: JSON.stringify({ session_id: session, cwd, ...said }) }
}

export interface Answered extends Planned {
  readonly told: Told
}

/** Given without the stored state: the last resort of either program, or a walk that failed. */
export const isResort = ({ told }: Answered): boolean => told.stderr.startsWith('signalbox: ')

export const decisionOf = ({ told: { exitCode, stdout } }: Answered): string => {
  if (exitCode === 2) return 'deny'
  if (stdout === '') return 'pass'
  return JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? 'pass'
}

/** One answer, whole: no exit code but 0 and 2, and nothing or one line of JSON on stdout. */
export function isAnswer({ told: { exitCode, stdout } }: Answered): boolean {
  if (exitCode !== 0 && exitCode !== 2) return false
  if (stdout === '') return true
  return stdout.split('\n').length === 2 && typeof JSON.parse(stdout) === 'object'
}

export const NAMES: Readonly<Record<Kind, string>> = {
  ...{ deny: 'PreToolUse', pass: 'PreToolUse', commit: 'PreToolUse', edit: 'PreToolUse' },
  ...{ test: 'PostToolUse', prompt: 'UserPromptSubmit', stop: 'Stop' },
}

/** What a session must be after its part of the trail: worked out by hand, not by the engine. */
export function replay(records: readonly AuditRecord[]) {
  let isOpen = false
  let turn = 0
  let operations = 0
  const wrong: AuditRecord[] = []
  for (const record of records) {
    const { name, tool = '', decision } = record
    const due = (tool === 'Bash' && !isOpen) || tool.startsWith('mcp__x__no') ? 'deny' : 'pass'
    if (name === 'PreToolUse' && decision !== due) wrong.push(record)
    if (name === 'PreToolUse' && tool.startsWith('mcp__x__yes')) operations++
    if (name === 'PreToolUse' && tool === 'Write') isOpen = false
    if (name === 'PostToolUse') isOpen = true
    if (name === 'UserPromptSubmit') turn++
  }
  return { isOpen, turn, operations, wrong }
}
