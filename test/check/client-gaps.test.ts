import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofs } from './policies.ts'

const everybody = clients.map(one => one.id)

/** Nothing is deployed until this has happened. */
const opensBy = (when: string, more = ''): string => `
gates:
  g:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { ${when} } }]
    rules:
      - { id: r, while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Ask the user. }
${more}`

/** On which agents one gets stuck. */
function stuckOn(policy: string): readonly string[] {
  const { findings } = proofs(policy, everybody)
  const locks = findings.filter(one => one.kind === 'deadlock')
  return [...new Set(locks.flatMap(({ clients }) => (clients.length === 0 ? everybody : clients)))].sort()
}

describe('what a client cannot send opens nothing there', () => {
  it.each([
    ['a tool for plans', 'event: tool.before, tool: ExitPlanMode', ['codex-cli', 'copilot-cli', 'cursor']],
    ['the tool that reads files', 'event: tool.before, tool: Read', ['codex-cli']],
    ['the tools that write files', 'event: tool.before, tool: [Write, Edit]', ['codex-cli']],
    ['a search on the web', 'event: tool.before, tool: WebSearch', ['codex-cli']],
    ['a skill', 'event: tool.before, tool: Skill', ['codex-cli']],
    ['a search', 'event: tool.before, action: search', ['codex-cli']],
    [
      'a field of an input',
      'event: tool.before, tool: Bash, input: { description: { regex: "^check" } }',
      ['codex-cli'],
    ],
    ['a tool of an MCP server', 'event: tool.before, tool: mcp__jira__get_issue', ['copilot-cli', 'cursor']],
    [
      'a worktree',
      'event: tool.after, tool: EnterWorktree',
      ['codex-cli', 'copilot-cli', 'cursor', 'gemini-cli', 'opencode'],
    ],
    ['a list of tasks', 'event: tool.before, tool: TaskCreate', ['codex-cli', 'copilot-cli', 'cursor', 'opencode']],
    [
      'a tool that one agent has',
      'event: tool.after, tool: ReadManyFiles',
      ['claude-code', 'codex-cli', 'copilot-cli', 'cursor', 'opencode', 'qwen-code'],
    ],
    [
      'the end of the task of an agent',
      'event: tool.after, tool: CompleteTask',
      ['claude-code', 'codex-cli', 'copilot-cli', 'cursor', 'opencode', 'qwen-code'],
    ],
    ['a patch', 'event: tool.after, tool: ApplyPatch', ['claude-code', 'gemini-cli', 'qwen-code']],
    [
      'a tool that deletes',
      'event: tool.after, tool: Delete',
      ['claude-code', 'codex-cli', 'copilot-cli', 'gemini-cli', 'opencode', 'qwen-code'],
    ],
    ['any tool of an MCP server', 'event: tool.before, action: mcp', ['copilot-cli']],
    ['the start of an agent', 'event: agent.start, agent: planner', ['gemini-cli']],
    ['the start of any agent', 'event: agent.start', ['gemini-cli']],
    ['the type of who calls', 'event: tool.before, command: make review, caller: reviewer', ['cursor']],
  ])('%s', (_, when, on) => {
    expect(stuckOn(opensBy(when))).toEqual(on)
  })

  it.each([
    ['files are written by patches and commands', 'event: tool.before, action: write, path: PLAN.md'],
    ['files are read by commands', 'event: tool.before, action: read, path: PLAN.md'],
    ['agents are spawned', 'event: tool.before, agent: reviewer'],
    ['what two clients call by two names', 'event: tool.before, any: [{ tool: ExitPlanMode }, { command: make plan }]'],
    ['the end of an agent', 'event: agent.stop, agent: reviewer'],
  ])('what each of them can do in its own way does: %s', (_, when) => {
    expect(stuckOn(opensBy(when))).toEqual([])
  })

  it('plan mode before the first write', () => {
    const policy = `
gates:
  plan:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, tool: ExitPlanMode } }]
    rules: [{ while: closed, when: { event: tool.before, action: [write, delete] }, then: deny, message: Make a plan first. }]
`
    expect(stuckOn(policy)).toEqual(['codex-cli', 'copilot-cli', 'cursor'])
  })
})

describe('the main agent as an agent of a type', () => {
  const HANDOVER = `
gates:
  handover:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, action: write, path: HANDOVER.md } }]
    rules: [{ while: closed, when: { event: turn.stop }, then: deny, message: Write HANDOVER.md. }]
  reviewers:
    rules:
      - { when: { event: tool.before, action: [write, delete, run, spawn], caller: reviewer }, then: deny, message: Reviewers only read. }
`
  it('may be kept from ending its turn', () => {
    const { findings } = proofs(HANDOVER)
    expect(findings.map(one => one.what).join()).toContain('where the main agent runs as reviewer')
  })

  it('is not played where no client starts so', () => {
    expect(proofs(HANDOVER, ['codex-cli']).findings).toEqual([])
  })

  it('may be proven', () => {
    expect(isProven(proofs(HANDOVER.replace('action: [write, delete, run, spawn]', 'command: git push')))).toBe(true)
  })
})

describe('a gate that the main agent as one of a type cannot open', () => {
  const plan = (refused: string): string => `
gates:
  plan:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, action: write, path: PLAN.md } }]
    rules: [{ while: closed, when: { event: tool.before, action: [${refused}] }, unless: { path: PLAN.md }, then: deny, message: Plan first. }]
  reviewers:
    rules: [{ when: { event: tool.before, action: [write, delete, run, spawn], caller: reviewer }, then: deny, message: Reviewers only read. }]
`
  it('is no matter where all that it refuses is refused to that one anyway', () => {
    expect(isProven(proofs(plan('write, delete')))).toBe(true)
  })

  it('is not certain where it refuses more: who starts it so may want that', () => {
    const { findings, inconclusive } = proofs(plan('write, delete, read, fetch'))
    expect(findings).toEqual([])
    expect(inconclusive.map(({ what, inconclusiveReason }) => [what, inconclusiveReason])).toEqual([
      [
        'plan can be closed with no way left to open it, where the main agent runs as reviewer',
        'only where the main agent runs as reviewer',
      ],
    ])
  })
})
