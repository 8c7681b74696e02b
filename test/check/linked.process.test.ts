import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const plan = (path: string): string => `gates:
  plan:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, action: write, path: ${path} } }]
    rules: [{ id: r, while: closed, when: { event: tool.before, action: write }, unless: { path: ${path} }, then: deny, message: Plan first. }]
`
const BARRED = `gates:
  todo: { rules: [{ id: t, when: { event: tool.before, action: write, path: todo/ }, then: deny, message: Not here. }] }`
const write = (path: string): string =>
  JSON.stringify({
    ...{ session_id: 's', transcript_path: '/home/dev/t.jsonl', cwd: '/home/dev/proj', hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Write', tool_use_id: path, tool_input: { file_path: `/home/dev/proj/${path}`, content: 'x' } },
  })
const isRefused = async (sandbox: Sandbox, path: string): Promise<boolean> =>
  (await sandbox.hookInProcess('claude-code', write(path))).stdout.includes('"deny"')
const check = async (sandbox: Sandbox) => {
  const { stdout } = await sandbox.run(['check', '--json', '--client', 'claude-code'])
  const { findings, inconclusive } = JSON.parse(stdout).proof as Record<
    'findings' | 'inconclusive',
    { kind: string; why: string }[]
  >
  return [...findings, ...inconclusive]
}

type Laid = (sandbox: Sandbox) => void
const outside = ({ folder }: Sandbox): string => {
  mkdirSync(join(folder, 'outside'))
  return join(folder, 'outside')
}

describe('a file that a link leads elsewhere from', { timeout: 60_000 }, () => {
  it.each<[string, string, Laid]>([
    [
      'out of the project',
      'PLAN.md',
      one => {
        const to = join(outside(one), 'PLAN.md')
        writeFileSync(to, '')
        symlinkSync(to, join(one.project, 'PLAN.md'))
      },
    ],
    [
      'to where nothing is yet',
      'PLAN.md',
      one => symlinkSync(join(outside(one), 'none.md'), join(one.project, 'PLAN.md')),
    ],
    ['by its folder, of which any file is meant', 'docs/', one => symlinkSync(outside(one), join(one.project, 'docs'))],
    ['by its folder', 'docs/PLAN.md', one => symlinkSync(outside(one), join(one.project, 'docs'))],
    [
      'to another file of the project',
      'PLAN.md',
      one => {
        writeFileSync(join(one.project, 'other.md'), '')
        symlinkSync('other.md', join(one.project, 'PLAN.md'))
      },
    ],
  ])('%s opens nothing', (_, path, lay) =>
    withSandbox({ project: plan(path) }, async sandbox => {
      lay(sandbox)
      const file = path.endsWith('/') ? `${path}a.md` : path
      expect([await isRefused(sandbox, file), await isRefused(sandbox, 'a.ts')]).toEqual([true, true])
      const [first] = await check(sandbox)
      expect(first).toMatchObject({
        kind: 'deadlock',
        why: expect.stringMatching(/`(PLAN\.md|docs\/PLAN\.md|docs)` is a link to `/),
      })
    }),
  )

  it('is named where the other way is refused', () =>
    withSandbox({ project: plan('[PLAN.md, todo/plan.md]').replace('gates:', BARRED) }, async sandbox => {
      symlinkSync(join(outside(sandbox), 'none.md'), join(sandbox.project, 'PLAN.md'))
      expect([await isRefused(sandbox, 'PLAN.md'), await isRefused(sandbox, 'todo/plan.md')]).toEqual([true, true])
      const [first] = await check(sandbox)
      expect(first?.why).toContain('`PLAN.md` is a link to')
    }))

  it('is no matter where it leads to another file that opens the gate', () =>
    withSandbox({ project: plan('[PLAN.md, other.md]') }, async sandbox => {
      symlinkSync('other.md', join(sandbox.project, 'PLAN.md'))
      expect([await isRefused(sandbox, 'PLAN.md'), await check(sandbox)]).toEqual([false, []])
    }))

  it.each<[string, Laid]>([
    ['it is a file', one => writeFileSync(join(one.project, 'PLAN.md'), '')],
    ['it is not there yet', () => undefined],
    ['another file is a link', one => symlinkSync(outside(one), join(one.project, 'vendor'))],
  ])('is no matter where %s', (_, lay) =>
    withSandbox({ project: plan('PLAN.md') }, async sandbox => {
      lay(sandbox)
      expect([await isRefused(sandbox, 'PLAN.md'), await isRefused(sandbox, 'a.ts')]).toEqual([false, false])
      expect(await check(sandbox)).toEqual([])
    }),
  )
})
