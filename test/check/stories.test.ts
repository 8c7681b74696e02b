import { describe, expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

const rule = (when: string): string =>
  `    rules: [{ id: r, while: closed, when: { ${when} }, then: deny, message: Not yet. }]\n`

/** Policies that lock somebody up, each in a way of its own. */
const POLICIES: Readonly<Record<string, string>> = {
  'a gate refuses what opens it': `gates:
  tested:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, action: write } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
${rule('action: run')}`,
  'an agent began before a prompt closed the gate': `gates:
  planned:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: agent.stop, agent: planner } }
      - { id: c, from: open, to: closed, when: { event: prompt.submit } }
${rule('event: agent.stop, agent: planner')}`,
  'an agent may not do what lets it end': `gates:
  compiled:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, action: write, path: "**/*.ts" } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: tsc, succeeded: true } }
${rule('event: agent.stop')}  quiet:
    rules: [{ id: q, when: { caller: agent, action: run }, then: deny, message: Agents run nothing. }]
`,
  'what closes it comes at the end of a call': `gates:
  tidy:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.after, command: make, succeeded: true } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: make clean, succeeded: true } }
${rule('command: make')}`,
  'nobody refuses anything': `gates:
  shut:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, command: make } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: make, succeeded: true } }
${rule('command: git push')}`,
  'a prompt is refused': `gates:
  door:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.after, command: npm test } }]
${rule('event: prompt.submit')}`,
  'a turn does not end': `gates:
  noted:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.before, action: write, path: NOTES.md } }]
${rule('event: [turn.stop, tool.before]')}  calm:
    rules: [{ id: w, when: { action: write }, then: deny, message: Nobody writes. }]
`,
  'only time passes, and then nothing opens it': `gates:
  fresh:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { since: { opened: { seconds: 60 } } } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: refresh, gate: { other: open } } }
${rule('action: write')}  other:
    initial: closed
    transitions: [{ id: c, from: open, to: closed, when: { event: tool.before, command: stop } }]
`,
  'time passes, and the turn does not end': `gates:
  cold:
    initial: open
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.after, command: warm } }
      - { id: c, from: open, to: closed, when: { since: { opened: { seconds: 30 } } } }
${rule('event: [turn.stop, tool.before]')}`,
}

describe.each(Object.entries(POLICIES))('%s', (_, policy) => {
  it('is a story that plays as it is told', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', policy)
      await stage.run(['check', '--json', '--here'])
      const { proof } = JSON.parse(stage.said.slice(stage.said.indexOf('{')))
      const told: readonly { counterexample: readonly unknown[]; test?: object }[] = [
        ...proof.findings,
        ...proof.inconclusive,
      ]
      const stories = told.filter(one => one.counterexample.length > 0)
      expect(stories.length).toBeGreaterThan(0)
      const events = stories.flatMap(one => (one.test as { events: readonly object[] } | undefined)?.events ?? [])
      expect(events.filter(one => Object.keys(one).join() === 'wait')).toEqual([])
      stage.put('stories.test.yaml', JSON.stringify(stories.map(one => one.test)))
      const code = await stage.run(['test'], { width: 200 })
      expect([code, code === 0 ? '' : `${stage.said}${stage.text('stories.test.yaml')}`]).toEqual([0, ''])
    }))
})
