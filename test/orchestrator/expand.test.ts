import { expect, it } from 'vitest'
import { expandCommand } from '../../src/app/orchestrate/index.ts'

const COMMANDS = {
  bmad: { agent: 'bmad-orchestrator', backend: 'codex' },
  quick: { workflow: 'quick-feature', task: 'Small: {task}. Test {task}.' },
  plain: {},
}

it.each([
  [
    '/bmad add a\nlogin',
    'add a\nlogin',
    'Have the agent `bmad-orchestrator` lead this.\n\nadd a\nlogin',
    'codex',
    'agent',
  ],
  ['/quick it', 'it', 'Follow the workflow `quick-feature`.\n\nSmall: it. Test it.', undefined, 'agent'],
  [
    "/quick $& and $'",
    "$& and $'",
    "Follow the workflow `quick-feature`.\n\nSmall: $& and $'. Test $& and $'.",
    undefined,
    'agent',
  ],
  ['/plain why?', 'why?', 'why?', undefined, undefined],
  ['/leads "implement auth"', 'implement auth', 'implement auth', undefined, undefined],
  ['/skill leads implement auth', 'implement auth', 'implement auth', undefined, undefined],
  // a skill or a command that is nobody's of ours goes to the agent as it is
  ['/skill bmad it', '/skill bmad it', '/skill bmad it', undefined, undefined],
  ['/bmadder it', '/bmadder it', '/bmadder it', undefined, undefined],
  ['/toString it', '/toString it', '/toString it', undefined, undefined],
  ['do /bmad it', 'do /bmad it', 'do /bmad it', undefined, undefined],
])('%j', (said, words, task, backend, mode) => {
  const { named, ...rest } = expandCommand(said, COMMANDS, ['leads'])
  expect({ ...rest, backend: named?.backend, mode: named?.mode }).toEqual({ words, task, backend, mode })
})

it('a command without a task says so', () => {
  expect(() => expandCommand('/bmad', COMMANDS, [])).toThrow('the task is empty; write what `/bmad` should do')
})
