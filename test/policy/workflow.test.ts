import { describe, expect, it } from 'vitest'
import { setTrust, trustRequestsOf } from '../../src/policy/index.ts'
import { House } from './policy-sandbox.ts'

const PLAN =
  'workflows: { plan: { about: Plans., steps: [{ id: a, prompt: "Plan {request}", artifacts: docs/plan.md }] } }'

describe('workflows of a policy', () => {
  it('are compiled with all that a step says', () => {
    const house = new House()
    house.user(`
gates: { tests: { initial: closed } }
workflows:
  build:
    steps:
      - id: plan
        agent: planner
        prompt: "Plan {request}."
        artifacts: [./docs/plan.md]
        may: docs/
        minutes: 10
      - person: Is the plan right?
      - id: code
        backend: codex
        prompt: "Build it, see {artifacts}. Round {round}: {failure}"
        repeat: { most: 3, until: { run: npm test } }
      - gate: tests
      - { id: review, prompt: Review it., repeat: { most: 2, until: { file: docs/review.md, says: APPROVED } } }
`)
    const { program, problems, warnings } = house.load()
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
    expect(program.workflows?.build?.steps).toEqual([
      {
        ...{ kind: 'step', id: 'plan', agent: 'planner', prompt: 'Plan {request}.', minutes: 10 },
        ...{ artifacts: ['docs/plan.md'], may: ['docs/', 'docs/plan.md'] },
      },
      { kind: 'person', question: 'Is the plan right?' },
      {
        ...{ kind: 'step', id: 'code', backend: 'codex', artifacts: [] },
        ...{ prompt: 'Build it, see {artifacts}. Round {round}: {failure}' },
        repeat: { most: 3, until: { run: 'npm test' } },
      },
      { kind: 'gate', gate: 'tests' },
      {
        ...{ kind: 'step', id: 'review', prompt: 'Review it.', artifacts: [] },
        repeat: { most: 2, until: { file: 'docs/review.md', says: 'APPROVED' } },
      },
    ])
  })

  it.each([
    ['[]', 'must not be empty'],
    ['[{ person: Now? }]', 'workflow `w` has no step with a `prompt`'],
    ['[{ id: a, prompt: x, gate: g }]', 'step 1 must have one of `prompt`, `gate` or `person`'],
    ['[{ id: a }]', 'step 1 must have one of `prompt`, `gate` or `person`'],
    ['[{ prompt: x }]', 'step 1 needs an `id`'],
    ['[{ id: a, prompt: x }, { person: Now?, may: x }]', '`may` cannot be combined with `person`'],
    ['[{ id: a, prompt: x }, { id: a, prompt: y }]', 'step `a` is defined twice'],
    ['[{ id: a, prompt: "{task}" }]', 'a prompt has no variable `{task}`'],
    ['[{ id: a, prompt: x, artifacts: ../b }]', '`../b` must be in the project'],
    ['[{ id: a, prompt: x, artifacts: /etc/b }]', '`/etc/b` must be in the project'],
    ['[{ id: a, prompt: x, artifacts: "docs/*.md" }]', '`docs/*.md` must be one file, without wildcards'],
    ['[{ id: a, prompt: x, may: ~/b }]', '`~/b` must be in the project'],
    ['[{ id: a, prompt: x, repeat: { most: 2, until: {} } }]', 'must be `{ run }` or `{ file, says }`'],
    ['[{ id: a, prompt: x, repeat: { most: 0, until: { run: y } } }]', 'must be at least 1'],
    ['[{ id: a, promt: x }]', 'unknown key `promt`'],
  ])('%s is refused with its place', (steps, message) => {
    const house = new House()
    house.user(`# first line\nworkflows:\n  w: { steps: ${steps} }\n`)
    const { problems, program } = house.load()
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining(message), line: 3 })])
    expect(program.workflows).toBeUndefined()
  })

  it('a backend or a gate that there is not is named, and what was meant', () => {
    const house = new House()
    house.user(
      'gates: { tests: { initial: closed }, stateless: {} }\nworkflows: { w: { steps: [{ id: a, backend: cdoex, prompt: x }, { gate: test }, { gate: stateless }] } }',
    )
    expect(house.load().warnings.map(({ message, help, line }) => ({ message, help, line }))).toEqual([
      { message: 'there is no backend `cdoex`', help: expect.stringContaining('codex'), line: 2 },
      {
        message: 'there is no gate `test` here: the workflow would stop at it',
        help: expect.stringContaining('tests'),
        line: 2,
      },
      { message: 'gate `stateless` has no state: it never opens', line: 2 },
    ])
  })

  it("a project's own waits for trust, and another layer's of that name stays in force", () => {
    const house = new House()
    house.project(PLAN.replace('Plans.', 'Of the project.'))
    const waiting = house.load()
    expect(waiting.program.workflows).toBeUndefined()
    expect(waiting.layers.flatMap(({ untrusted }) => untrusted)).toEqual([
      expect.stringMatching(/^workflow `plan` \(.*:1\)$/),
    ])
    house.user(PLAN)
    expect(house.load().program.workflows?.plan?.about).toBe('Plans.')
    house.write(house.userFile, '{}')
    for (const { file, hash } of trustRequestsOf(waiting.layers)) setTrust(house.stateDir, file, hash)
    expect(house.load().program.workflows?.plan?.about).toBe('Of the project.')
  })

  it('a script that a step waits for is part of what is trusted', () => {
    const house = new House()
    house.write('scripts/check.sh', 'exit 0')
    house.write('test/a.test.ts', '1')
    house.project(
      'workflows: { w: { steps: [{ id: a, prompt: x, repeat: { most: 2, until: { run: bash scripts/check.sh test/a.test.ts } } }] } }',
    )
    for (const { file, hash } of trustRequestsOf(house.load().layers)) setTrust(house.stateDir, file, hash)
    expect(house.load().program.workflows).toBeDefined()
    house.write('test/a.test.ts', '2')
    expect(house.load().program.workflows).toBeDefined()
    house.write('scripts/check.sh', 'exit 1')
    expect(house.load().program.workflows).toBeUndefined()
  })
})
