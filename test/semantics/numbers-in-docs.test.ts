import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Gate } from '../../src/engine/index.ts'
import type { Step } from './case.ts'
import { Stage } from './play.ts'

const ROOT = join(import.meta.dirname, '../..')
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`)

const pages = ['README.md', ...['docs/guide', 'examples', 'packs'].flatMap(filesIn)].filter(file =>
  file.endsWith('.md'),
)
const examples = filesIn('examples').filter(file => file.endsWith('/signalbox.yaml'))
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Every policy that a reader may copy, and that counts. */
const policies = [
  ...pages.flatMap(page =>
    [...textOf(page).matchAll(/^```yaml\n(# signalbox\.yaml[\s\S]*?)^```$/gm)].map(([, policy = '']) => ({
      page,
      policy,
    })),
  ),
  ...examples.map(page => ({ page, policy: textOf(page) })),
].filter(({ policy }) => /\b(?:operations|edits|calls):/.test(policy))

/** How many operations a gate permits before it closes by itself. */
const limitOf = (gate: Gate): number | undefined =>
  gate.transitions
    .filter(({ clock, from }) => clock && from.includes('open'))
    .flatMap(({ when }) => ('key' in when && when.key === 'since' ? when.counters : []))
    .find(({ unit }) => unit === 'operations')?.atLeast

const counting = policies.flatMap(({ page, policy }) => {
  const stage = new Stage({ name: page, sentence: '', policy })
  stage.tearDown()
  return stage.policy.program.gates.flatMap(gate => {
    const limit = limitOf(gate)
    return limit === undefined ? [] : [{ page, policy, gate, limit }]
  })
})

/** An edit is an operation of every gate here. Each edits another file, so that no two are the same call. */
const nthEdit = (nth: number): Step => ({ shell: `echo x > src/file-${nth}.ts` })

describe('a number in the documentation', () => {
  it('is played wherever a policy counts', () => {
    expect(counting.map(({ page, gate, limit }) => `${page} ${gate.name} ${limit}`)).toEqual([
      'README.md 50-edits-until-git-commit 50',
      'docs/guide/coming-from.md custodiet 50',
      'docs/guide/cookbook.md 20-edits-until-git-commit 20',
      'docs/guide/cookbook.md 200-calls-until-prompt 200',
      'docs/guide/writing-a-policy.md 20-edits-until-git-commit 20',
      'docs/guide/writing-a-policy.md review-every-50 50',
      'docs/guide/writing-a-policy.md small-commits 20',
    ])
  })

  it.each(counting)('$page: $gate.name lets $limit pass and denies the next', ({ page, policy, gate, limit }) => {
    const stage = new Stage({ name: page, sentence: '', policy })
    const denials = Array.from({ length: limit + 2 }, (_, at) => at + 1).flatMap(nth => {
      const { outcome, record } = stage.play(nthEdit(nth))
      return outcome.decision === 'pass' ? [] : [{ nth, gate: record.gate, words: outcome.reason }]
    })
    stage.tearDown()
    expect(denials.map(({ nth }) => nth)).toEqual([limit + 1, limit + 2])
    expect(denials[0]).toMatchObject({ gate: gate.id })
    const numbers = [gate.about ?? '', denials[0]?.words ?? ''].flatMap(text => text.match(/\b\d+\b/g) ?? [])
    expect(new Set(numbers)).toEqual(new Set([`${limit}`]))
  })

  it('what is left counts down to the call that is denied', () => {
    const { policy, limit } = counting.find(({ gate }) => gate.name === 'small-commits') ?? { policy: '', limit: 0 }
    const stage = new Stage({ name: 'left', sentence: '', policy })
    const left = Array.from({ length: limit }, (_, at) => at + 1).flatMap(nth => {
      const id = `t${nth}`
      stage.play({ ...nthEdit(nth), id })
      const { outcome } = stage.play(Object.assign({ id, after: 'succeeded' }, nthEdit(nth)))
      const number = /(\d+) edits left/.exec(outcome.context)?.[1]
      return number === undefined ? [] : [[nth, Number(number)]]
    })
    stage.tearDown()
    expect(left).toEqual([15, 16, 17, 18, 19, 20].map(nth => [nth, limit - nth]))
  })
})
