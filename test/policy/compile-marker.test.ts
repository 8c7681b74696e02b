import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clearCompileMarker, markCompileStart } from '../../src/policy/cache/compile-marker.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'
import { loadPolicy } from '../../src/policy/index.ts'
import { House } from './policy-sandbox.ts'

const MINUTE = 60_000

/** As if the processes that left them had been ended so long ago. */
function ageMarks(stateDir: string, agoMs: number): void {
  const folder = join(stateDir, 'compiling')
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), String(Date.now() - agoMs))
}

describe('a compilation that was begun', () => {
  it('and ended is not told of', () => {
    const { stateDir } = new House()
    expect(markCompileStart(stateDir, 'k')).toBe(false)
    clearCompileMarker(stateDir, 'k')
    expect(readdirSync(join(stateDir, 'compiling'))).toEqual([])
  })

  it('just now may be going on; a minute ago it was ended from outside; long ago it is tried again', () => {
    const { stateDir } = new House()
    expect([markCompileStart(stateDir, 'k'), markCompileStart(stateDir, 'k')]).toEqual([false, false])
    ageMarks(stateDir, MINUTE)
    expect(markCompileStart(stateDir, 'k')).toBe(true)
    expect(markCompileStart(stateDir, 'another')).toBe(false)
    ageMarks(stateDir, 11 * MINUTE)
    expect(markCompileStart(stateDir, 'k')).toBe(false)
  })

  it('leaves no mark, and no error, where nothing can be stored', () => {
    const { folder } = new House()
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(markCompileStart(file, 'k')).toBe(false)
    expect(() => clearCompileMarker(file, 'k')).not.toThrow()
  })
})

describe('a policy whose compilation was ended from outside', () => {
  const large = `gates:\n  g:\n    rules:\n${'      - { when: { command: x }, then: deny, message: no }\n'.repeat(900)}`

  it('is left out, and says so, until it is compiled without haste', () => {
    const house = new House()
    house.project(large)
    const input = { ...house.input(), isTimed: true }
    const killed = () => ({ ...compiler, compilePolicy: () => expect.fail('killed') })
    expect(() => loadPolicy(input, killed)).toThrow('killed')
    ageMarks(input.stateDir, MINUTE)
    const { layers } = loadPolicy(input, () => compiler)
    const project = layers.find(({ layer }) => layer === 'project')
    expect(project?.state).toBe('left-out')
    expect(project?.errors[0]?.message).toContain('takes too long to compile')
    // `signalbox check` is nobody's call
    expect(house.load().problems).toEqual([])
    expect(loadPolicy(input, () => compiler).problems).toEqual([])
  })
})
