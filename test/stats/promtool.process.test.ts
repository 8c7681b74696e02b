import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { renderPrometheus } from '../../src/audit/stats/index.ts'
import { past } from '../support/store/past-records.ts'
import { Ground, recordOf } from '../support/store/records.ts'
import { countAll, HOUR, put, THEN, withBook } from '../support/store/stats-book.ts'

/** Of Prometheus itself, where it is installed (`apt install prometheus`), or wherever `PROMTOOL` says. Without it `exposition.ts` is what reads. */
const PROMTOOL = process.env.PROMTOOL ?? 'promtool'
const isThere = spawnSync(PROMTOOL, ['--version']).status === 0

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

const promtool = (args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { input, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

describe.skipIf(!isThere)('promtool', () => {
  it('has nothing against what is told, by the format and by convention', () => {
    const gate = 'project/a "b" \\c\nd'
    const match = { gate, rule: 'r', decision: 'deny', effect: 'deny', mode: 'block' } as const
    put(ground.state, [...past({ records: 2000, from: THEN - 48 * HOUR, days: 2 })])
    put(ground.state, [recordOf({ at: THEN, client: 'x\ty', decision: 'deny', gate, rule: 'r', matches: [match] })])
    const text = withBook(ground, book => {
      countAll(ground.state, book)
      return renderPrometheus(book, { version: '1.2.3', build: 'abc' })
    })
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' })
  })

  it('understands every question of the dashboard', () => {
    const { panels } = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/grafana/signalbox.json'), 'utf8'))
    const asked: readonly string[] = panels.flatMap((panel: { targets: readonly { expr: string }[] }) =>
      panel.targets.map(one => one.expr.replace(/\$__\w+/g, '5m').replace(/\$\w+/g, '.*')),
    )
    const rules = asked.map((expr, nth) => ({ record: `asked:${nth}`, expr }))
    const file = join(ground.folder, 'rules.json')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    expect(promtool(['check', 'rules', file])).toEqual({
      status: 0,
      said: expect.stringContaining(`${rules.length} rules found`),
    })
  })
})
