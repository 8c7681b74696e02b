import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEMO = readFileSync(join(ROOT, 'demo/signalbox.yaml'), 'utf8')
const GREEN = `- name: commits wait for the tests
  events:
    - { shell: git commit -m x, expect: { decision: deny, gate: tests-before-commit, rule: rule-1, reason: npm test } }
    - { shell: npm test, expect: { decision: pass, gates: { tests-before-commit: closed } } }
    - { shell: npm test, after: succeeded, expect: { gates: { tests-before-commit: open } } }
    - { shell: git commit -m x, expect: pass }
    - { write: src/a.ts, as: builder, expect: { gates: { tests-before-commit: closed } } }
- name: pull requests are read with gh
  events:
    - { fetch: "https://github.com/a/b/pull/3", expect: { decision: deny, gate: routes, rule: github-pr, reason: { regex: "gh pr view 3" } } }
`
const RED = '- name: red\n  events: [ { shell: ls, expect: deny } ]\n'

const put = (sandbox: Sandbox, name: string, text: string): void => {
  mkdirSync(join(sandbox.project, name, '..'), { recursive: true })
  writeFileSync(join(sandbox.project, name), text)
}

const timeless = (text: string): string => text.replace(/\d+\.\d s$/m, '0.0 s')

describe('signalbox test', () => {
  it('is green where the policy does as the tests say, and tells what they cover', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(sandbox, 'cart.test.yaml', GREEN)
      const { exitCode, stdout, stderr } = await sandbox.run(['test'])
      expect({ exitCode, stderr, stdout: timeless(stdout) }).toEqual({
        exitCode: 0,
        stderr: '',
        stdout: 'OK  2 passed, 0 failed, 0.0 s\nCoverage  gates 2/2, rules 1/1, routes 1/1, transitions 2/2\n',
      })
    }))

  it('knows the files that a test names', () =>
    withSandbox(
      {
        project:
          'gates:\n  g: { rules: [{ when: { action: write, file: exists, not: { file: read } }, then: deny, message: m }] }\n',
      },
      async sandbox => {
        const events =
          '[{ write: a.ts, expect: deny }, { write: b.ts, expect: pass }, { read: a.ts, after: succeeded }, { write: a.ts, expect: pass }]'
        put(sandbox, 'x.test.yaml', `files: [a.ts]\ntests:\n  - name: read first\n    events: ${events}\n`)
        expect((await sandbox.run(['test'])).stdout).toContain('OK  1 passed')
      },
    ))

  it('tells what is unseen of one’s own before what is of a built-in pack, which is one line', () =>
    withSandbox({ project: `use: [tool-routing]\n${DEMO.replace(/\nroutes:[\s\S]*$/, '\n')}` }, async sandbox => {
      put(sandbox, 'x.test.yaml', '- name: x\n  events: [ { shell: git commit -m x, expect: deny } ]\n')
      const { stdout } = await sandbox.run(['test'])
      expect(stdout.replace(/\d+/g, 'N')).toContain(`
  not covered  tests-before-commit transition transition-N  signalbox.yaml:N
               tests-before-commit transition transition-N  signalbox.yaml:N
               pack tool-routing: N routes
`)
      expect(stdout).toMatch(/ {10}pack tool-routing: \d+ routes\n$/)
    }))

  it('of several gates that refuse a call, each may be named; one that only warns may not', () => {
    const gate = (name: string, rule: string, then: string) =>
      `  ${name}: { rules: [{ id: ${rule}, when: { command: git push }, then: ${then}, message: m }] }\n`
    const project = `gates:\n${gate('one', 'a', 'deny')}${gate('two', 'b', 'deny')}${gate('three', 'c', 'warn')}`
    const expected = ['gate: one, rule: a', 'gate: two, rule: b', 'gate: three']
    return withSandbox({ project }, async sandbox => {
      const events = expected.map(one => `    - { shell: git push, expect: { decision: deny, ${one} } }\n`)
      put(sandbox, 'x.test.yaml', `- name: each\n  events:\n${events.join('')}`)
      const { exitCode, stdout } = await sandbox.run(['test'])
      expect([exitCode, stdout.match(/expected .*/g)]).toEqual([1, ['expected gate three, got one, a; two, b']])
    })
  })

  it('of a file, mistakes come in the order of their lines; the beginning of a name is enough for a guess', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      const events = [
        '{ shell: ls, expect: { gate: nope } }',
        '{ shell: ls, expct: deny }',
        '{ shell: ls, expect: { gate: no } }',
      ]
      put(
        sandbox,
        'x.test.yaml',
        `- name: x\n  client: codex\n  events:\n${events.map(one => `    - ${one}\n`).join('')}`,
      )
      const { exitCode, stdout, stderr } = await sandbox.run(['test'])
      const said = stdout + stderr
      expect([exitCode, said.match(/(?<=x\.test\.yaml:)\d+/g)]).toEqual([2, ['2', '4', '5', '6']])
      expect(said).toContain('did you mean `codex-cli`?')
    }))

  it('a call that should be refused is held against what came near, and against no other gate than the one named', () => {
    const rule = (when: string) => `{ rules: [{ id: r, when: { ${when} }, then: deny, message: m }] }`
    const project = `gates:\n  pushes: ${rule('command: git push --force')}\n  edits: ${rule('caller: main, action: write')}\n`
    return withSandbox({ project }, async sandbox => {
      const expected = ['deny', '{ decision: deny, gate: edits }']
      const events = expected.map(one => `    - { shell: git push, expect: ${one} }\n`).join('')
      put(sandbox, 'x.test.yaml', `- name: x\n  events:\n${events}`)
      const { stdout } = await sandbox.run(['test'])
      expect(stdout.match(/note: .*/g)).toEqual([
        'note: pushes, r expects command `git push --force`, got `git push`',
        'note: edits, r expects action write, got run',
      ])
    })
  })

  it('stores nothing', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(sandbox, 'cart.test.yaml', GREEN)
      await sandbox.run(['test'])
      expect(existsSync(join(sandbox.home, 'state'))).toBe(false)
    }))

  it('finds tests beside the policy and in signalbox/ next to it, and takes files and folders', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(sandbox, 'cart.test.yaml', GREEN)
      put(sandbox, 'signalbox/deep/er.test.yaml', RED)
      put(sandbox, 'elsewhere/x.test.yaml', RED)
      put(sandbox, 'elsewhere/node_modules/y.test.yaml', RED)
      const counts = async (...args: string[]) => {
        const { passed, failed } = JSON.parse((await sandbox.run(['test', '--json', ...args])).stdout)
        return [passed, failed]
      }
      expect(await counts()).toEqual([2, 1])
      expect(await counts('cart.test.yaml')).toEqual([2, 0])
      expect(await counts('elsewhere')).toEqual([0, 1])
      expect(await counts('cart.test.yaml', 'signalbox')).toEqual([2, 1])
    }))

  it.each([
    [['test'], 'there is no *.test.yaml beside the policy'],
    [['test', 'nowhere.test.yaml'], 'there is no `nowhere.test.yaml`'],
    [['test', '--reporter', 'xml'], 'unknown reporter `xml`: text, json, junit, github, sarif'],
    [['test', '--wach'], 'unknown option'],
    [['test', '--watch', 'nowhere.test.yaml'], 'there is no `nowhere.test.yaml`'],
  ])('%j exits 2', (args, why) =>
    withSandbox({ project: DEMO }, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(args)
      expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)])
    }),
  )

  it('tells every mistake of a file at once: of its form, and of what it names', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(
        sandbox,
        'x.test.yaml',
        `- name: a
  events:
    - { shell: ls, expect: { gate: nope } }
    - { shel: ls, expect: deny }
- name: b
  client: foo
  events: [ { shell: ls, expect: denyy }, { shell: ls, source: user, expect: { rule: none } } ]
- { name: c }
`,
      )
      const { exitCode, stdout } = await sandbox.run(['test'])
      expect([exitCode, stdout.match(/^ERROR {2}\S+ .*$/gm)?.sort()]).toEqual([
        2,
        [
          'ERROR  x.test.yaml:3:36 unknown gate `nope`',
          'ERROR  x.test.yaml:4:9 unknown key `shel` in `tests`',
          'ERROR  x.test.yaml:6:11 unknown client `foo`',
          'ERROR  x.test.yaml:7:34 `expect` in `tests` must be pass, allow, ask, deny or warn, not `denyy`',
          'ERROR  x.test.yaml:7:56 `source` has no effect here: use it with `prompt`',
          'ERROR  x.test.yaml:7:86 unknown rule `none` in the policy',
          expect.stringContaining('ERROR  x.test.yaml:8:'),
        ],
      ])
    }))

  it('of a test whose events cannot be read it is not said that it expects nothing', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      const events = ['{ shell: ls, expect: block }', '{ bash: ls, expect: deny }', '{ shell: ls, after: success }']
      put(sandbox, 'x.test.yaml', events.map((one, nth) => `- name: t${nth}\n  events: [ ${one} ]\n`).join(''))
      const { stdout } = await sandbox.run(['test'])
      expect(stdout.match(/^ERROR {2}/gm)).toHaveLength(3)
      expect(stdout).not.toContain('expects nothing')
    }))

  it('an event that is a text is a shell line', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      const wait = '    - ls -la\n    - { shell: git commit -m x, expect: pass }\n'
      put(sandbox, 'x.test.yaml', `- name: t\n  events:\n${wait}`)
      const { exitCode, stdout } = await sandbox.run(['test'])
      expect([exitCode, stdout]).toEqual([
        1,
        expect.stringContaining('FAIL  t > shell: git commit -m x  x.test.yaml:4'),
      ])
      put(sandbox, 'x.test.yaml', '- name: t\n  events:\n    - ls\n    - 7\n')
      expect((await sandbox.run(['test'])).stdout).toContain('x.test.yaml:4:7 ')
    }))

  it('without a policy and without tests it names the policy first', () =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(['test'])
      expect([exitCode, stdout, stderr]).toEqual([
        2,
        '',
        'signalbox test: there is no signalbox.yaml here to test; `signalbox init` writes one\n',
      ])
    }))

  it('without a policy there is nothing to test', () =>
    withSandbox({}, async sandbox => {
      put(sandbox, 'cart.test.yaml', GREEN)
      const { exitCode, stdout } = await sandbox.run(['test', 'cart.test.yaml'])
      expect([exitCode, stdout]).toEqual([2, expect.stringContaining('there is no signalbox.yaml beside these tests')])
    }))

  it('a test may bring its own policy: in itself, or a file', () =>
    withSandbox({}, async sandbox => {
      put(sandbox, 'other.yaml', DEMO)
      put(
        sandbox,
        'x.test.yaml',
        `- name: in itself
  policy: { gates: { g: { rules: [ { id: r, when: { command: ls }, then: deny, message: no } ] } } }
  events: [ { shell: ls, expect: { decision: deny, gate: g, rule: r } } ]
- name: a file
  policy: other.yaml
  events: [ { shell: git commit, expect: { gate: project/tests-before-commit } } ]
`,
      )
      expect((await sandbox.run(['test', 'x.test.yaml'])).stdout).toContain('OK  2 passed, 0 failed')
    }))

  it('what loosens counts as if it were trusted; your own layer does not count, unless --here', () =>
    withSandbox(
      {
        project: 'gates: { g: { rules: [ { id: yes, when: { command: ls }, then: allow } ] } }\n',
        user: 'gates: { mine: { rules: [ { id: no, when: { command: ls }, then: deny, message: no } ] } }\n',
      },
      async sandbox => {
        put(sandbox, 'x.test.yaml', '- name: ls\n  events: [ { shell: ls, expect: allow } ]\n')
        expect((await sandbox.run(['test'])).exitCode).toBe(0)
        expect((await sandbox.run(['test', '--here'])).stdout).toContain('expected allow, got DENY by mine, no: no')
      },
    ))

  it('plays the tests of folders below that have a policy of their own; what they share is covered once', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(sandbox, 'cart.test.yaml', GREEN)
      put(
        sandbox,
        'app/signalbox.yaml',
        'gates: { app: { rules: [ { id: r, when: { command: ls }, then: deny, message: no } ] } }\n',
      )
      put(sandbox, 'app/x.test.yaml', RED)
      put(sandbox, 'app/signalbox/y.test.yaml', RED.replace('red', 'also'))
      put(sandbox, 'other/z.test.yaml', RED)
      const { stdout } = await sandbox.run(['test'])
      expect(timeless(stdout)).toBe(
        'OK  4 passed, 0 failed, 0.0 s\nCoverage  gates 3/3, rules 2/2, routes 1/1, transitions 2/2\n',
      )
    }))

  it('a nested policy is tested with the ones above it', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(
        sandbox,
        'app/signalbox.yaml',
        'gates: { app: { rules: [ { id: r, when: { command: ls }, then: deny, message: no } ] } }\n',
      )
      put(
        sandbox,
        'app/x.test.yaml',
        `- name: both
  events:
    - { shell: ls, expect: { decision: deny, gate: app } }
    - { shell: git commit, expect: { decision: deny, gate: tests-before-commit } }
`,
      )
      expect((await sandbox.run(['test', 'app'])).stdout).toContain('OK  1 passed')
    }))

  it('an event may be of another client, in a session of its own; a state of one agent', () =>
    withSandbox(
      {
        project: `${CLOCK}  shy:\n    initial: open\n    scope: agent\n    rules: [ { id: no, while: closed, when: { command: ls }, then: deny, message: no } ]\n`,
      },
      async sandbox => {
        put(
          sandbox,
          'x.test.yaml',
          `- name: two clients
  events:
    - { shell: npm test, after: succeeded, client: codex-cli, expect: { gates: { fresh: closed } } }
    - { shell: npm test, after: succeeded, expect: { gates: { fresh: open } } }
    - { shell: git push, client: codex-cli, expect: deny }
    - { shell: git push, expect: pass }
- name: two agents
  given: { shy@builder: closed }
  events:
    - { shell: ls, expect: { decision: pass, gates: { shy: open, shy@builder: closed } } }
    - { shell: ls, as: builder, expect: deny }
`,
        )
        expect((await sandbox.run(['test'])).stdout).toContain('OK  2 passed')
      },
    ))

  it('a code gate speaks with --code only', () =>
    withSandbox({ project: 'gates: { coded: { code: ./gate.mjs } }\n' }, async sandbox => {
      put(sandbox, 'gate.mjs', "export default { judge: () => ({ decision: 'deny', reason: 'code says no' }) }\n")
      put(
        sandbox,
        'x.test.yaml',
        '- name: code\n  events: [ { shell: ls, expect: { decision: deny, rule: code, reason: code says no } } ]\n',
      )
      const without = await sandbox.run(['test'])
      expect([without.exitCode, without.stdout]).toEqual([
        1,
        expect.stringContaining('gate coded is written in code and was not run; `--code` runs it'),
      ])
      expect((await sandbox.run(['test', '--code'])).stdout).toContain('OK  1 passed')
    }))

  it("plays an agent's own payload through its decoder, variables, waits and `signalbox run`", () =>
    withSandbox({ project: CLOCK }, async sandbox => {
      put(
        sandbox,
        'pay.json',
        JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push' } }),
      )
      put(
        sandbox,
        'x.test.yaml',
        `- name: payloads
  events:
    - { payload: pay.json, expect: { decision: deny, rule: pushing } }
    - { payload: { hook_event_name: PreToolUse, tool_name: Bash, tool_input: { command: ls } }, expect: pass }
- name: a variable lifts it
  env: { LIFT: "1" }
  events: [ { shell: git push, expect: pass } ]
- name: it closes after an hour
  given: { fresh: open }
  events:
    - { shell: ls, expect: { gates: { fresh: open } } }
    - { shell: git push, wait: 3600, expect: { decision: deny, rule: pushing, gates: { fresh: closed } } }
- name: a signed run is certain in a pipe
  client: codex-cli
  events:
    - { shell: "signalbox run -- npm test | tail", after: unknown, signed: { npm test: 0 }, expect: { gates: { fresh: open } } }
- name: a start is an event of its own
  events: [ { event: session.start, expect: pass } ]
`,
      )
      const { exitCode, stdout } = await sandbox.run(['test'])
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('OK  5 passed')])
      expect(stdout).toContain('transitions 2/2')
    }))

  it('again at every change with --watch, until it is ended', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(sandbox, 'x.test.yaml', RED)
      const child = spawn(process.execPath, [join(ROOT, 'bin/signalbox.cjs'), 'test', '--watch'], {
        cwd: sandbox.project,
        env: { PATH: process.env.PATH, HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home },
      })
      let seen = ''
      child.stdout.on('data', chunk => {
        seen += chunk
      })
      const until = async (text: string) => {
        for (let tries = 0; !seen.includes(text) && tries < 150; tries++)
          await new Promise(done => setTimeout(done, 100))
        expect(seen).toContain(text)
      }
      await until('watching for changes of ')
      expect(seen).toMatch(
        /\n\d\d:\d\d:\d\d {2}1 of 1 failed; watching for changes of .*x\.test\.yaml.* \(Ctrl\+C stops\)\n/,
      )
      expect(seen).toContain('0 passed, 1 failed')
      put(sandbox, 'x.test.yaml', RED.replace('deny', 'pass'))
      await until('OK  1 passed, 0 failed')
      // what no test has touched is the same as before, and told once
      await until('; not covered: as before\n')
      expect(seen.match(/ {2}not covered {2}/g)).toHaveLength(1)
      // saved while others are still being played
      put(sandbox, 'y.test.yaml', `- name: long\n  events:\n${'    - { shell: ls, expect: pass }\n'.repeat(4000)}`)
      await until('OK  2 passed, 0 failed')
      put(sandbox, 'x.test.yaml', RED)
      await new Promise(soon => setTimeout(soon, 700))
      put(sandbox, 'x.test.yaml', RED.replace('deny', 'pass'))
      seen = ''
      await until('OK  2 passed, 0 failed')
      const ended = new Promise(done => child.on('close', done))
      child.kill('SIGINT')
      expect(await ended).toBe(0)
    }))
})

const CLOCK = `gates:
  fresh:
    initial: closed
    bypass: { env: { LIFT: "1" } }
    transitions:
      - { id: proven, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { id: stale, from: open, to: closed, when: { since: { opened: { seconds: 3600 } } } }
    rules:
      - { id: pushing, while: closed, when: { command: git push }, then: deny, message: test first }
`

describe('reporters of signalbox test', () => {
  const MIXED = `${GREEN}- name: "<red> & \\"loud\\""
  events:
    - { shell: "echo 100%, a:b", expect: deny }
`
  const report = (reporter: string, text = MIXED): Promise<string> =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(sandbox, 'cart.test.yaml', text)
      return (await sandbox.run(['test', '--reporter', reporter])).stdout
    })

  it('json has every case, and the coverage', async () => {
    const told = JSON.parse(await report('json'))
    expect(told).toMatchObject({
      ok: false,
      passed: 2,
      failed: 1,
      problems: [],
      coverage: { rules: { seen: 1, total: 1 } },
    })
    expect(told.cases[2]).toMatchObject({
      file: 'cart.test.yaml',
      line: 11,
      ok: false,
      failures: [{ line: 13, mismatches: [{ key: 'decision', expected: 'DENY', got: 'pass' }] }],
    })
  })

  it('junit is XML with a case for each event of which something is expected', async () => {
    const xml = await report('junit')
    expect(xml).toContain('<testsuite name="cart.test.yaml" tests="7" failures="1" errors="0"')
    expect(xml).toContain(
      'name="&lt;red&gt; &amp; &quot;loud&quot; &gt; 1 shell: echo 100%, a:b" classname="cart.test.yaml" file="cart.test.yaml" line="13"',
    )
    const names = [...xml.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(7)
    expect(names[3]).toBe('commits wait for the tests &gt; 4 shell: git commit -m x')
    expect(xml).toContain('<failure message="expected DENY, got pass">')
    expect(xml.match(/<testcase /g)).toHaveLength(7)
    expect(xml.match(/<(\w+)(?=[\s>])[^>]*[^/]>/g)?.length).toBe(xml.match(/<\/\w+>/g)?.length ?? 0)
  })

  it('github marks the line of the test', async () => {
    const [first = ''] = (await report('github')).split('\n')
    expect(first).toBe(
      '::error file=cart.test.yaml,line=13,title=<red> & "loud"::shell: echo 100%25, a:b%0Aexpected DENY, got pass',
    )
  })

  it('github names files as the repository does, wherever it is run', () =>
    withSandbox({}, async sandbox => {
      put(sandbox, 'app/signalbox.yaml', DEMO)
      put(sandbox, 'app/x.test.yaml', RED)
      const inApp = { cwd: join(sandbox.project, 'app'), env: { GITHUB_WORKSPACE: sandbox.project } }
      expect((await sandbox.run(['test', '--reporter', 'github'], inApp)).stdout).toMatch(
        /^::error file=app\/x\.test\.yaml,line=2/,
      )
    }))

  it('places are named alike: from the folder it is run in, or as the repository does', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      put(sandbox, 'app/signalbox.yaml', DEMO.replace('tests-before-commit:', 'in-app:'))
      put(sandbox, 'app/x #1?%.test.yaml', RED)
      const cwd = join(sandbox.project, 'app')
      const inApp = async (reporter: string) => (await sandbox.run(['test', '--reporter', reporter], { cwd })).stdout
      const text = await inApp('text')
      expect(text).toContain('  x #1?%.test.yaml:2\n')
      expect(text).toMatch(/tests-before-commit rule-1 {2}\.\.\/signalbox\.yaml:\d+\n/)
      expect(text).toMatch(/in-app rule-1 {2}signalbox\.yaml:\d+\n/)
      const { cases, coverage } = JSON.parse(await inApp('json'))
      expect([cases[0].file, coverage.unseen[0].at]).toEqual([
        'x #1?%.test.yaml',
        expect.stringMatching(/^\.\.\/signalbox/),
      ])
      const github = await inApp('github')
      expect(github).toMatch(/^::error file=app\/x #1\?%25\.test\.yaml,line=2/)
      expect(github).toMatch(/FAIL .* {2}app\/x #1\?%\.test\.yaml:2\n[\s\S]* {2}app\/signalbox\.yaml:\d+\n/)
      expect(await inApp('junit')).toContain('<testsuite name="app/x #1?%.test.yaml"')
      const [{ results }] = JSON.parse(await inApp('sarif')).runs
      const { uri } = results[0].locations[0].physicalLocation.artifactLocation
      expect([uri, decodeURIComponent(uri)]).toEqual(['app/x%20%231%3F%25.test.yaml', 'app/x #1?%.test.yaml'])
      expect(new URL(uri, 'file:///repository/')).toMatchObject({ hash: '', search: '' })
    }))

  it('sarif has a result for each failure', async () => {
    const { version, runs } = JSON.parse(await report('sarif'))
    expect([version, runs[0].tool.driver.name, runs[0].results.length]).toEqual(['2.1.0', 'signalbox', 1])
    expect(runs[0].results[0]).toMatchObject({
      ruleId: 'policy-test-failed',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'cart.test.yaml' }, region: { startLine: 13 } } }],
    })
    const ids = runs[0].tool.driver.rules.map((rule: { id: string }) => rule.id)
    expect(ids).toContain(runs[0].results[0].ruleId)
  })

  it.each(['json', 'junit', 'github', 'sarif'])('%s tells of a mistake in the tests', async reporter => {
    expect(await report(reporter, '- name: x\n  events: [ { shel: ls } ]\n')).toContain('unknown key `shel`')
  })
})
