import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Case, strayKeys } from './semantics/case.ts'
import { play } from './semantics/judge.ts'

const PAGE = join(import.meta.dirname, '../docs/guide/cookbook.md')
const PACKS = join(import.meta.dirname, '../packs')

/** Each recipe: its heading, its policy, and the case that plays it. */
const recipes = readFileSync(PAGE, 'utf8')
  .split(/^## /m)
  .slice(1)
  .map(section => {
    const [heading = ''] = section.split('\n')
    const blocks = [...section.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
    return { heading, blocks }
  })

describe('the cookbook', () => {
  it('has at least 25 recipes, numbered', () => {
    expect(recipes.length).toBeGreaterThanOrEqual(25)
    expect(recipes.map(({ heading }) => Number.parseInt(heading, 10))).toEqual(recipes.map((_, index) => index + 1))
  })

  it.each(recipes)('$heading', ({ heading, blocks }) => {
    const [policy = '', tests = '', ...more] = blocks
    expect([policy.split('\n', 1), tests.split('\n', 1), more]).toEqual([['# signalbox.yaml'], ['# tests'], []])
    const played: Case = { name: heading, sentence: heading, policy, ...parse(tests) }
    expect(strayKeys(played)).toEqual([])
    // a recipe shows what it denies or asks about, not only what passes
    expect(['stops', 'asks', 'events', 'each'].filter(key => key in parse(tests))).not.toEqual([])
    expect(play(played, { packsDir: PACKS })).toEqual([])
  })
})
