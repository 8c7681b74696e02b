import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { compare } from './comparison.ts'

/** Small policies on which the proof and the simulator once differed, and what is so. */
const FOUND: readonly (readonly [name: string, client: string, so: string, policy: string])[] = [
  [
    "an agent's own gate that only the main agent's stop opens",
    'claude-code',
    'deadlock red',
    `red:
  { scope: agent, initial: closed,
    transitions: [{ id: o, from: closed, to: open, when: { event: turn.stop } }],
    rules: [{ id: r, while: closed, when: { event: tool.before, action: write }, then: deny, message: No. }] }`,
  ],
  [
    'the next agent begins with an open one of its own',
    'claude-code',
    'deadlock red',
    `red:
  { scope: agent, initial: open,
    transitions: [
      { id: c, from: open, to: closed, when: { event: tool.before, caller: agent } },
      { id: o, from: closed, to: open, when: { event: agent.start } } ],
    rules: [{ id: r, while: closed, when: { event: tool.before }, then: deny, message: No. }] }`,
  ],
  [
    'what would open it is refused because it is open then',
    'claude-code',
    'deadlock red',
    `red:
  { initial: closed,
    transitions: [
      { id: o, from: closed, to: open, when: { event: tool.before } },
      { id: c, from: open, to: closed, when: { event: agent.stop, agent: scout } } ],
    rules: [{ id: r, while: open, when: { event: tool.before }, then: deny, message: No. }] }`,
  ],
  [
    'what is suggested after one call is denied by a gate that speaks only to another',
    'claude-code',
    'misleading red',
    `red:
  { initial: open,
    transitions: [
      { id: c, from: open, to: closed, when: { event: tool.before, command: delta } },
      { id: o, from: closed, to: open, when: { event: tool.before, command: beta } } ],
    rules: [{ id: r, while: open, when: { event: tool.before, command: [alpha, gamma] }, then: warn, message: No., suggest: gamma }] }
green: { rules: [{ id: r, when: { event: tool.before, command: gamma }, then: deny, message: No. }] }`,
  ],
  [
    'an ask where nobody can be asked refuses what it suggests',
    'opencode',
    'misleading blue',
    `blue:
  { initial: closed, opens: human,
    rules: [{ id: r, while: closed, when: { event: tool.before }, then: ask, message: Ask the user., suggest: gamma }] }`,
  ],
  [
    'a call that passes closes the gate that suggests something, and then refuses that',
    'opencode',
    'misleading red',
    `red:
  { initial: closed,
    transitions: [
      { id: o, from: closed, to: open, when: { event: tool.after } },
      { id: c, from: open, to: closed, when: { event: tool.before, command: delta } } ],
    rules: [
      { id: w, when: { event: tool.before }, then: warn, message: No., suggest: beta },
      { id: r, while: closed, when: { event: tool.before }, then: deny, message: No., limit: 1 } ] }`,
  ],
  [
    'an agent that nobody names stops, and what that closes nothing opens',
    'claude-code',
    'deadlock red',
    `red:
  { initial: open,
    transitions: [{ id: c, from: open, to: closed, when: { event: agent.stop } }],
    rules: [{ id: r, while: closed, when: { event: tool.before, action: run }, then: deny, message: No. }] }`,
  ],
  [
    'what is suggested to who spawns an agent is let through by then, and to others it is not',
    'opencode',
    'misleading green',
    `red:
  { initial: open,
    transitions: [
      { id: c, from: open, to: closed, when: { event: agent.stop } },
      { id: o, from: closed, to: open, when: { event: agent.start } } ],
    rules: [{ id: r, while: closed, when: { event: tool.before, action: run }, then: deny, message: No. }] }
green:
  { initial: open,
    rules: [{ id: r, while: open, when: { event: tool.before }, then: warn, message: No., suggest: gamma }] }`,
  ],
  [
    'the end of a call needs open what its beginning closes',
    'claude-code',
    'deadlock red',
    `red:
  { initial: closed,
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.after, command: beta, gate: { green: open } } }],
    rules: [{ id: r, while: closed, when: { event: tool.before, command: delta }, then: deny, message: No. }] }
green:
  { initial: open,
    transitions: [
      { id: o, from: closed, to: open, when: { event: tool.before } },
      { id: c, from: open, to: closed, when: { event: tool.before, command: beta } } ] }`,
  ],
  [
    'a call goes on while a prompt closes two gates, and opens the one that was to stay closed',
    'claude-code',
    'deadlock green',
    `red:
  { initial: open,
    transitions: [
      { id: c, from: open, to: closed, when: { event: prompt.submit } },
      { id: o, from: closed, to: open, when: { event: tool.after, command: gamma } } ] }
green:
  { initial: open,
    transitions: [
      { id: o, from: closed, to: open, when: { event: tool.before, gate: { red: closed } } },
      { id: c, from: open, to: closed, when: { event: prompt.submit } } ],
    rules: [{ id: r, while: closed, when: { event: tool.before, command: delta }, then: deny, message: No. }] }`,
  ],
  [
    'every prompt is refused while a gate is open that nothing closes',
    'claude-code',
    'deadlock red',
    `red:
  { initial: open, rules: [{ id: r, while: open, when: { event: prompt.submit }, then: deny, message: No. }] }`,
  ],
  [
    'the end of the first turn opens for good what refuses every call while it is open',
    'claude-code',
    'deadlock green',
    `red:
  { initial: closed, transitions: [{ id: o, from: closed, to: open, when: { event: turn.stop } }] }
green:
  { initial: closed,
    rules: [{ id: r, when: { event: tool.before, gate: { red: open } }, then: deny, message: No. }] }`,
  ],
]

/** … and what once was found, and is not so. */
const SOUND: readonly (readonly [string, string, string])[] = [
  [
    'the main agent may neither run commands nor spawn, and writes files',
    'opencode',
    `red:
  { rules: [
      { id: s, when: { event: tool.before, action: spawn }, then: ask, message: Ask the user. },
      { id: r, when: { event: tool.before, action: [run] }, unless: { caller: scout }, then: deny, message: No. } ] }`,
  ],
  [
    "an agent's own gate that refuses nothing while it is closed, but a line that opens it and does what the open one refuses",
    'claude-code',
    `red:
  { scope: agent, initial: closed,
    transitions: [
      { id: s, from: closed, to: open, when: { event: turn.stop } },
      { id: o, from: closed, to: open, when: { event: tool.before, action: write } } ],
    rules: [{ id: r, while: open, when: { event: tool.before, command: [alpha] }, then: deny, message: No. }] }
green:
  { initial: closed,
    rules: [{ id: r, when: { event: tool.before, caller: agent, gate: { red: open } }, then: deny, message: No. }] }`,
  ],
  [
    'every event moves it there and back, and the one call that is let through is counted',
    'opencode',
    `red:
  { initial: open,
    transitions: [
      { id: c, from: open, to: closed, when: {} },
      { id: o, from: closed, to: open, when: {} } ],
    rules: [{ id: r, while: closed, when: { event: tool.before }, unless: { command: beta }, then: ask, message: No. }] }`,
  ],
  [
    'who asks about a spawn holds back what that closes, until the agent has done what it is for',
    'claude-code',
    `red: { initial: open, rules: [{ id: r, when: { event: tool.before }, then: ask, message: Ask the user. }] }
green:
  { initial: closed,
    transitions: [
      { id: c, from: open, to: closed, when: { event: tool.before } },
      { id: o, from: closed, to: open, when: { event: agent.stop, agent: scout } } ],
    rules: [{ id: r, while: closed, when: { event: tool.before, command: [delta] }, then: deny, message: No. }] }`,
  ],
]

it.each(SOUND)('%s', (_, client, policy) => {
  const { proof, differences } = compare({ gates: parse(policy) }, client, 1000)
  expect({ differences, stuck: proof.findings.filter(one => one.kind === 'deadlock') }).toEqual({
    differences: [],
    stuck: [],
  })
})

it.each(FOUND)('%s', (_, client, so, policy) => {
  const { proof, differences } = compare({ gates: parse(policy) }, client, 1000)
  const said = proof.findings.map(({ kind, gate }) => `${kind} ${gate?.replace('user/', '')}`)
  expect({ differences, said }).toEqual({ differences: [], said: expect.arrayContaining([so]) })
})
