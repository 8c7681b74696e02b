import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSandbox } from '../sandbox.ts'

const DEMO = readFileSync(join(import.meta.dirname, '../../demo/signalbox.yaml'), 'utf8')
const SIGNS = `gates:
  signs:
    initial: open
    transitions:
      - { id: "odd", from: [open, closed], to: closed, when: { event: prompt.submit, prompt: { regex: "a;b#<c>{1}" } } }
`

describe('signalbox graph', () => {
  it('draws each gate as a state diagram', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['graph'])
      expect(exitCode).toBe(0)
      expect(stdout).toBe(`%% project/tests-before-commit
stateDiagram-v2
  [*] --> closed
  closed --> open: transition-1, event tool.after, command 'npm test', succeeded true
  open --> closed: transition-2, event tool.before, action write | delete
  note right of closed
    rule-1 denies
  end note

%% project/routes
stateDiagram-v2
  state "routes, always" as gate_routes
  note right of gate_routes
    github-pr denies
  end note
`)
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
    [
      ['graph', '--svg'],
      '--svg needs the package `mermaid` (npm install --save-dev mermaid, in this project), and a Chromium on the PATH',
    ],
  ])('%j exits 2', (args, why) =>
    withSandbox({ project: DEMO }, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(args, { env: { PATH: '/nowhere' } })
      expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)])
    }),
  )

  it('without a gate there is nothing to draw', () =>
    withSandbox({}, async sandbox => {
      expect(await sandbox.run(['graph'])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('there is no gate here'),
      })
    }))

  /** A browser that only prints what a real one would have drawn: what is proven is what it is handed, and what is done with its answer. */
  const drawing = (program: string) =>
    withSandbox({ project: DEMO }, async sandbox => {
      const folder = join(sandbox.project, 'node_modules/mermaid/dist')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'mermaid.min.js'), 'var mermaid = {} // </script>')
      const browser = join(sandbox.folder, 'browser')
      writeFileSync(browser, `#!/bin/sh\n${program}\n`)
      chmodSync(browser, 0o755)
      return sandbox.run(['graph', '--svg'], { env: { SIGNALBOX_BROWSER: browser } })
    })

  it('--svg hands every diagram to the browser, and prints what it drew', async () => {
    const page = "for last; do :; done; page=$(echo $last | sed 's,^file://,,')"
    const whole = `[ $(grep -c '<pre class="mermaid">stateDiagram-v2' $page) = 2 ] && [ $(grep -c '</script>$' $page) = 2 ]`
    const { exitCode, stdout } = await drawing(`${page}; ${whole} && echo '<svg>1</svg><svg>2</svg>'`)
    expect([exitCode, stdout]).toEqual([0, '<svg>1</svg>\n<svg>2</svg>\n'])
  })

  it('--svg says when the browser drew less', async () => {
    expect(await drawing("echo '<svg>1</svg>'")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('drew 1 of 2 diagrams (exit 0)'),
    })
  })
})
