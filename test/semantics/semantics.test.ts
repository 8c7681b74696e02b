import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Case, strayKeys } from './case.ts'
import { play } from './judge.ts'

const FOLDER = import.meta.dirname
const casesIn = (file: string): readonly Case[] =>
  parse(readFileSync(join(FOLDER, file), 'utf8'), { maxAliasCount: -1 })

for (const file of readdirSync(FOLDER).filter(name => name.endsWith('.yaml'))) {
  describe(file.replace('.yaml', ''), () => {
    const cases = casesIn(file)
    it('is written in keys that are read, under names of their own', () => {
      const names = cases.map(one => one.name)
      expect([...cases.flatMap(strayKeys), ...names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([])
    })
    for (const one of cases) {
      if (one.later !== undefined) {
        it.todo(`${one.name} (${one.later})`)
        continue
      }
      it(one.name, () => {
        expect(play(one), one.sentence).toEqual([])
      })
    }
  })
}
