import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { play } from './play-scenario.ts'
import type { Scenario } from './scenario.ts'

const FOLDER = import.meta.dirname

/** Every `*.yaml` here is a list of sessions, played event by event. */
for (const file of readdirSync(FOLDER).filter(name => name.endsWith('.yaml'))) {
  describe.concurrent(file.replace('.yaml', ''), () => {
    const scenarios: readonly Scenario[] = parse(readFileSync(join(FOLDER, file), 'utf8'), { maxAliasCount: -1 })
    it.each(scenarios.map(one => [one.name, one] as const))('%s', { timeout: 60_000 }, async (_, scenario) => {
      expect(await play(scenario)).toEqual([])
    })
  })
}
