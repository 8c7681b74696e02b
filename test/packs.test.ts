import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { EvaluationResult } from '../src/engine/index.ts'
import { type Case, strayKeys } from './semantics/case.ts'
import { play } from './semantics/judge.ts'

/**
 * `packs/<id>/tests.yaml`: a list of cases as in `test/semantics`, played against the real packs. Beside the keys of a
 * case, `use` says how the pack is used: its options (`use: { per: prompt }`), or the whole list (`use: [ … ]`).
 */
interface PackCase extends Omit<Case, 'sentence' | 'policy'> {
  readonly sentence?: string
  readonly use?: object | readonly unknown[]
  readonly policy?: object
}

interface GateDoc {
  readonly rules?: readonly { readonly id: string }[]
  readonly routes?: Readonly<Record<string, { readonly message?: string }>>
}

const PACKS = join(import.meta.dirname, '../packs')
const textOf = (...path: readonly string[]): string => readFileSync(join(PACKS, ...path), 'utf8')

function asCase(pack: string, { use = {}, policy, ...one }: PackCase): Case {
  if (one.layers || one.packs) return { sentence: one.name, ...one }
  const used = Array.isArray(use) ? use : [{ [pack]: use }]
  return { sentence: one.name, ...one, policy: { use: used, ...policy } }
}

describe.each(
  readdirSync(PACKS, { withFileTypes: true })
    .filter(one => one.isDirectory())
    .map(one => one.name),
)('the pack %s', pack => {
  const cases: readonly PackCase[] = parse(textOf(pack, 'tests.yaml'), { maxAliasCount: -1 })
  const { options = {}, gates = {} } = parse(textOf(pack, 'pack.yaml'))
  const spoke = new Set<string>()

  it('has tests in keys that are read, under names of their own', () => {
    const names = cases.map(one => one.name)
    const stray = cases.map(one => asCase(pack, one)).flatMap(strayKeys)
    expect([...stray, ...names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([])
  })

  for (const one of cases) {
    it(one.name, () => {
      const heard = ({ record }: EvaluationResult): void => {
        for (const { gate, rule } of record.matches) spoke.add(`${gate.split('/').at(-1)}/${rule}`)
      }
      expect(play(asCase(pack, one), { packsDir: PACKS, heard })).toEqual([])
    })
  }

  it('has examples that hold', () => {
    // by its path it is a pack like any other
    const used = { name: pack, policy: { use: [join(PACKS, pack)] }, loads: { problem: false } } as const
    expect(play({ sentence: pack, ...used })).toEqual([])
  })

  it('has a case for every rule and every route', () => {
    const rules = Object.entries<GateDoc>(gates).flatMap(([gate, doc]) => [
      ...(doc.rules ?? []).map(rule => `${gate}/${rule.id}`),
      ...Object.keys(doc.routes ?? {}).flatMap(id => (doc.routes?.[id]?.message ? [`${gate}/${id}`] : [])),
    ])
    expect(rules.filter(rule => !spoke.has(rule))).toEqual([])
  })

  it('tells of every option in its README', () => {
    const readme = textOf(pack, 'README.md')
    expect(Object.keys(options).filter(name => !readme.includes(`| \`${name}\``))).toEqual([])
  })
})
