import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkRegex } from '../../src/hook/services/regex.ts'
import type { Json } from '../../src/lib/json.ts'
import { prebuildPacks } from '../../src/policy/packs/prebuilt-packs.ts'
import { SourceMap } from '../../src/policy/parse/source-map.ts'
import { readPrebuiltTree, readYamlValue } from '../../src/policy/parse/yaml-source.ts'

const PACKS = resolve(import.meta.dirname, '../../packs')
const files = readdirSync(PACKS, { recursive: true, encoding: 'utf8' }).filter(one =>
  /(pack|built-in|starter)\.yaml$/.test(one),
)

/** Every value with all places of it, those that only its holder knows too. */
function told(value: Json, places: SourceMap): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Array.isArray(value) ? value.map((one, at) => [at, one] as const) : Object.entries(value)
  const inner = entries.map(([key, one]) => [key, places.spot(value, key), told(one, places)])
  return { isList: Array.isArray(value), self: places.self(value), inner }
}

describe('what the build reads of the built-in packs', () => {
  it.each(files)('%s: the same values, each where it is written', file => {
    const text = readFileSync(join(PACKS, file), 'utf8')
    const { trees } = prebuildPacks([text], () => true)
    const [tree] = Object.values(JSON.parse(JSON.stringify(trees)) as typeof trees)
    if (!tree) throw new Error('not read')
    const [as, by] = [new SourceMap(), new SourceMap()]
    const [read, known] = [readYamlValue(text, file, as), readPrebuiltTree(tree, text, file, by)]
    expect({ ...known, value: told(known.value, by) }).toEqual({ ...read, value: told(read.value, as) })
  })

  it.each([
    ['what is broken', 'a: [1'],
    ['a key that is written twice', 'a: 1\na: 2'],
    ['a key that is no word', '{ a: b }: c'],
    ['a number that is none', 'a: .nan'],
    ['nothing', ''],
  ])('%s is left to be read where it is needed', (_, text) => {
    expect(prebuildPacks([text], () => true)).toEqual({ trees: {}, regexes: [] })
  })

  it('regexes are those that a pack holds and the engine runs', () => {
    const text = 'a: [{ regex: x+ }, { regex: (? }]\nb: { c: { regex: y } }\nregex: [z]'
    expect(prebuildPacks([text], pattern => checkRegex(pattern) === null).regexes).toEqual(['x+', 'y'])
  })

  it('every bundle with the compiler has it: built-in packs are not parsed again', () => {
    for (const name of ['compiler.cjs', 'dashboard.mjs']) {
      const code = readFileSync(resolve(import.meta.dirname, '../../dist', name), 'utf8')
      expect([name, code.includes('SIGNALBOX_AHEAD'), code.includes('"regexes')]).toEqual([name, false, true])
    }
  })
})
