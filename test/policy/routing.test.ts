import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

describe('routing', () => {
  it('of several layers the strongest wins for each intent', () => {
    const house = new House()
    house.project('routing: { workflows: { bug_fix: a, docs: { low: b } }, leader: one }\n')
    house.user('routing: { workflows: { bug_fix: c, any: d } }\n')
    const { program, problems } = house.load()
    expect([problems, program.routing]).toEqual([
      [],
      { workflows: { bug_fix: 'c', docs: { low: 'b' }, any: 'd' }, leader: 'one' },
    ])
  })

  it('where nobody says anything there is nothing', () => {
    const house = new House()
    house.project('gates: {}\n')
    expect(house.load().program).not.toHaveProperty('routing')
  })

  it.each([
    ['routing: { workflows: { bugfix: a } }', '1:25 unknown key `bugfix`', 'did you mean `bug_fix`?'],
    ['routing: { workflow: { bug_fix: a } }', '1:12 unknown key `workflow`', 'did you mean `workflows`?'],
    ['routing: { workflows: { bug_fix: { tiny: a } } }', '1:36 unknown key `tiny`', ''],
    ['routing: { workflows: { bug_fix: 5 } }', 'must be a workflow, or { low, medium, high, any }', ''],
    ['routing: { workflows: { bug_fix: " " } }', 'must not be blank', ''],
    ['routing: { leader: [a] }', 'must be a text', ''],
    ['routing: 5', 'must be { workflows, leader }', ''],
  ])('%s is told with its place', (text, ...parts) => {
    const [first = '', ...more] = new House().problems(`${text}\n`)
    expect(more).toEqual([])
    for (const part of parts) expect(first).toContain(part)
  })
})
