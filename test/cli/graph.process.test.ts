import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const DEMO = readFileSync(join(import.meta.dirname, '../../demo/signalbox.yaml'), 'utf8')
const SIGNS = `gates:
  signs:
    initial: open
    transitions:
      - { id: "odd", from: [open, closed], to: closed, when: { event: prompt.submit, prompt: { regex: "a;b#<c>{1}" } } }
`

/** Mermaid without a browser: what cleans labels of HTML has nothing to clean when a text is only read. */
async function reader(): Promise<{ parse(text: string): Promise<unknown> }> {
  const [purify, mermaid] = ['dompurify', 'mermaid']
  Object.assign((await import(purify)).default, { addHook: () => {}, sanitize: (text: string) => text })
  return (await import(mermaid)).default
}

describe('signalbox graph', () => {
  it('draws each gate as a state diagram', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['graph'])
      expect(exitCode).toBe(0)
      expect(stdout).toBe(`## project/tests-before-commit

\`\`\`mermaid
stateDiagram-v2
  [*] --> closed
  closed --> open: transition-1, event tool.after, command 'npm test', succeeded true
  open --> closed: transition-2, event tool.before, action write | delete
  note right of closed
    rule-1 denies 'git commit'
  end note
\`\`\`

## project/routes

\`\`\`mermaid
stateDiagram-v2
  state "routes, always" as gate_routes
  note right of gate_routes
    github-pr denies https#58;//github.com/#58;owner/#58;repo/pull/#58;number
  end note
\`\`\`
`)
    }))

  it.each([
    ['one gate', ['routes'], 1],
    ['several', [], 3],
    ['the built-in ones, too', ['--all'], 4],
  ])('Mermaid reads what is written: %s', async (_, args, least) => {
    const mermaid = await reader()
    await withSandbox({ project: DEMO.replace('gates:\n', SIGNS) }, async sandbox => {
      const { stdout } = await sandbox.run(['graph', ...args])
      const blocks = [...stdout.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
      const diagrams = blocks.length > 0 ? blocks : [stdout]
      expect(diagrams.length).toBeGreaterThanOrEqual(least)
      for (const text of diagrams) expect(await mermaid.parse(text)).toMatchObject({ diagramType: 'stateDiagram' })
    })
  })

  it('a rule that speaks in every state is noted at each', () => {
    const rule = '    rules: [{ id: always, when: { command: rm }, then: deny, message: No. }]\n'
    return withSandbox({ project: `${SIGNS}${rule}` }, async sandbox => {
      const { stdout } = await sandbox.run(['graph'])
      for (const state of ['closed', 'open'])
        expect(stdout).toContain(`note right of ${state}\n    always denies 'rm'\n`)
    })
  })

  const MODES = `gates:
  looks:
    mode: observe
    rules:
      - { id: pushes, when: { command: git push }, unless: { caller: releaser }, then: deny, message: No. }
  warns:
    mode: warn
    initial: closed
    transitions:
      - { id: proven, from: closed, to: open, when: { event: tool.after, command: [npm test, signalbox run -- npm test, signalbox run -- npm run test], succeeded: true } }
    rules:
      - { id: all, while: closed, when: { event: tool.before }, unless: { command: [ls, npm test] }, then: deny, message: No. }
  gone: { mode: off, rules: [ { when: { command: rm }, then: deny, message: No. } ] }
`
  it('says the mode of a gate that stops nothing, what is exempt, and whole commands', () =>
    withSandbox({ project: MODES }, async sandbox => {
      const { stdout } = await sandbox.run(['graph'])
      expect(stdout).toContain(`  state "looks, always (mode observe#58; blocks nothing)" as gate_looks
  note right of gate_looks
    pushes would deny 'git push' unless caller releaser
  end note
`)
      expect(stdout).toContain("'signalbox run -- npm run test', succeeded true\n")
      expect(stdout).toContain(`  note right of closed
    mode warn#58; blocks nothing
    all warns of every call unless 'ls' | 'npm test'
  end note
`)
      const mermaid = await reader()
      for (const name of ['looks', 'warns'])
        expect(await mermaid.parse((await sandbox.run(['graph', name])).stdout)).toMatchObject({
          diagramType: 'stateDiagram',
        })
      const svg = (await sandbox.run(['graph', '--svg'])).stdout
      const words = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text).join(' ')
      expect(words).toContain('looks, always (mode observe: blocks nothing)')
      expect(words).toContain('pushes would deny `git push` unless caller releaser')
      expect(words).toContain('warns (mode warn: blocks nothing)')
      expect(words).toContain('all warns of every call unless')
    }))

  const LINKED = `gates:
  plan:
    initial: closed
    opens: human
    scope: project
    transitions: [{ id: approved, from: closed, to: open, when: { event: prompt.submit, source: user } }]
    rules: [{ id: no-tests, while: closed, when: { event: tool.before, command: npm test }, then: deny, message: Ask. }]
  tests:
    initial: closed
    counts: { event: tool.after, action: write }
    transitions:
      - { id: green, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules: [{ id: commit, while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Test. }]
  review:
    initial: closed
    scope: agent
    transitions:
      - id: verdict
        from: closed
        to: open
        when: { event: agent.stop, agent: reviewer }
        capture: { verdict: { json: verdict.json } }
        invalid: { then: deny, message: "{problem}" }
    rules: [{ id: push, while: closed, when: { event: tool.before, command: git push }, then: deny, message: Review. }]
`
  const VERDICT = '{"type":"object","properties":{"verdict":{"enum":["approve"]}},"required":["verdict","why"]}'

  it('says who opens a gate, whose state it has, what it counts and what an answer needs', () =>
    withSandbox({ project: LINKED }, async sandbox => {
      writeFileSync(join(sandbox.project, 'verdict.json'), VERDICT)
      const { stdout } = await sandbox.run(['graph'])
      expect(stdout).toContain(`  note right of closed
    only a person opens it
    all sessions of the project share one state
    no-tests denies 'npm test'
`)
      expect(stdout).toContain('    counts event tool.after, action write\n')
      expect(stdout).toContain('    each agent has its own state\n')
      expect(stdout).toContain('agent reviewer, if its answer has verdict approve, why, else denies\n')
      const svg = (await sandbox.run(['graph', '--svg'])).stdout
      const words = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text).join(' ')
      for (const one of [
        'only a person opens it',
        'all sessions of the project share one state',
        'counts event tool.after',
      ])
        expect(words).toContain(one)
      expect(words).toContain('if its answer has verdict approve, why, else denies')
    }))

  it('draws who refuses what opens another gate', async () => {
    const mermaid = await reader()
    await withSandbox({ project: LINKED }, async sandbox => {
      writeFileSync(join(sandbox.project, 'verdict.json'), VERDICT)
      const { stdout } = await sandbox.run(['graph'])
      const [, chart = ''] = /## Links between gates\n\n```mermaid\n([\s\S]*?)```/.exec(stdout) ?? []
      expect(chart).toBe(`flowchart LR
  g0["plan"]
  g1["tests"]
  g0 -- "no-tests refuses 'npm test' that succeeds, which opens tests" --> g1
`)
      expect(await mermaid.parse(chart)).toMatchObject({ diagramType: 'flowchart-v2' })
      const svg = (await sandbox.run(['graph', '--svg'])).stdout
      expect(svg).toContain('no-tests refuses `npm test` that succeeds, which opens tests')
      expect(svg.match(/class="arrow" d="M944 /g)).toHaveLength(1)
      const alone = await sandbox.run(['graph', 'tests'])
      expect(alone.stdout).not.toContain('flowchart')
    })
  })

  it('draws a link once, however many transitions it speaks of', () => {
    const change = (from: string, to: string) =>
      `{ from: ${from}, to: ${to}, when: { event: tool.after, command: npm test, succeeded: true } }`
    const rule = (state: string, command: string) =>
      `{ while: ${state}, when: { command: ${command} }, then: deny, message: No. }`
    const both = `gates:
  plan: { initial: closed, opens: human, transitions: [{ from: closed, to: open, when: { event: prompt.submit } }], rules: [${rule('closed', 'npm test')}] }
  tests:
    initial: closed
    transitions: [${change('closed', 'open')}, ${change('open', 'closed')}]
    rules: [${rule('closed', 'git commit')}, ${rule('open', 'git push')}]
`
    return withSandbox({ project: both }, async sandbox => {
      expect((await sandbox.run(['graph'])).stdout.match(/ -- ".*" --> /g)).toHaveLength(1)
      expect((await sandbox.run(['graph', '--svg'])).stdout.match(/which opens tests/g)).toHaveLength(1)
    })
  })

  it('says when a transition without an event is applied', () => {
    const counted = `gates:
  g:
    initial: open
    transitions: [{ id: stale, from: open, to: closed, when: { since: { opened: { operations: 50 } } } }]
    rules: [{ id: all, while: closed, when: { command: git push }, then: deny, message: No. }]
`
    return withSandbox({ project: counted }, async sandbox => {
      for (const args of [['graph'], ['policy', 'show', '--resolved']])
        expect((await sandbox.run(args)).stdout).toContain('before the next event, when 50 operations since opened')
    })
  })

  it('cuts no label inside a word', () => {
    const names = Array.from({ length: 40 }, (_, nth) => `program${nth}`)
    const long = `gates:
  g:
    initial: closed
    transitions: [{ id: done, from: closed, to: open, when: { event: tool.after, command: [${names.join(', ')}] } }]
    rules: [{ id: all, while: closed, when: { command: [${names.join(', ')}] }, unless: { command: [${names.join(', ')}] }, then: deny, message: No. }]
`
    return withSandbox({ project: long }, async sandbox => {
      for (const more of [[], ['--svg']]) {
        const { stdout } = await sandbox.run(['graph', ...more])
        const words = stdout.match(/program\w*/g) ?? []
        expect(words.length).toBeGreaterThan(10)
        for (const word of words) expect(names).toContain(word)
      }
    })
  })

  it('a gate that is off is not unknown', () =>
    withSandbox({ project: MODES }, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(['graph', 'gone'])
      expect([exitCode, stdout, stderr]).toEqual([2, '', 'signalbox graph: gate `gone` is off (`mode: off`)\n'])
    }))

  it('one gate by its name, the built-in ones with --all, JSON for programs', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      expect((await sandbox.run(['graph', 'routes'])).stdout).not.toContain('tests-before-commit')
      expect((await sandbox.run(['graph', '--all'])).stdout).toContain('self-protection')
      const list = JSON.parse((await sandbox.run(['graph', '--json'])).stdout)
      expect(list.map((one: { gate: string }) => one.gate)).toEqual(['project/tests-before-commit', 'project/routes'])
    }))

  it('signs that Mermaid reads as its own are written as numbers', () =>
    withSandbox({ project: SIGNS }, async sandbox => {
      const { stdout } = await sandbox.run(['graph'])
      const labels = stdout.split('\n').flatMap(line => /-->.*?: (.*)$/.exec(line)?.[1] ?? [])
      expect(labels).toHaveLength(2)
      for (const label of labels) expect(label.replace(/#\d+;/g, '')).not.toMatch(/[#;:%<>{}"]/)
    }))

  it.each([
    [['graph', 'rutes'], 'unknown gate `rutes`; did you mean `routes`?'],
    [['graph', 'something'], /unknown gate `something`; there are [a-z]/],
  ])('%j exits 2', (args, why) =>
    withSandbox({ project: DEMO }, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(args, { env: { PATH: '/nowhere' } })
      expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)])
    }),
  )

  it('without a gate there is nothing to draw', () =>
    withSandbox({}, async sandbox => {
      expect(await sandbox.run(['graph'])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('this policy has no gates'),
      })
    }))

  it('of a policy that is broken it draws what is in force, and says so', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      await sandbox.run(['check'])
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), 'gates: {a: [')
      const { exitCode, stdout, stderr } = await sandbox.run(['graph'])
      expect(exitCode).toBe(0)
      expect(stdout).toContain('tests-before-commit')
      expect(stderr).toBe('signalbox graph: signalbox.yaml is broken: its last valid version is still enforced\n')
    }))

  it('--svg draws them here, without a browser: whole, well-formed, nothing beyond its edge', () =>
    withSandbox({ project: DEMO.replace('gates:\n', SIGNS) }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['graph', '--svg'], { env: { PATH: '/nowhere' } })
      expect(exitCode).toBe(0)
      const texts = [...stdout.matchAll(/<text class="(\w+)"[^>]*>([^<]*)<\/text>/g)].map(([, kind, text = '']) => [
        kind,
        text,
      ])
      expect(texts.slice(texts.findIndex(([, text]) => text === 'tests-before-commit')).slice(0, 5)).toEqual([
        ['title', 'tests-before-commit'],
        ['name', 'closed'],
        ['rule', 'rule-1 denies `git commit`'],
        ['name', 'open'],
        ['move', expect.stringContaining('transition-1: event tool.after')],
      ])
      const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(stdout) ?? []).map(Number)
      for (const [, x, y, text = ''] of stdout.matchAll(/<text [^>]*x="(\d+)" y="(\d+)">([^<]*)</g)) {
        expect(Number(x) + text.replace(/&#\d+;/g, '.').length * 7).toBeLessThan(width)
        expect(Number(y)).toBeLessThan(height)
      }
      // from the state it begins in, there and back
      expect([...stdout.matchAll(/d="M(\d+) \d+H(\d+)"/g)].map(([, from, to]) => Number(from) < Number(to))).toContain(
        false,
      )
      expect(stdout.match(/<(svg|style|text|rect|path|circle|defs|marker)\b/g)?.length).toBe(
        (stdout.match(/<\/(svg|style|text|defs|marker)>/g)?.length ?? 0) +
          (stdout.match(/<(rect|path|circle)[^>]*\/>/g)?.length ?? 0),
      )
      expect(stdout).not.toMatch(/&(?!#\d+;)/)
    }))
})
