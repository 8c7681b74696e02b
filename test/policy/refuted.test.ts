import { describe, expect, it } from 'vitest'
import * as compiler from '../../src/policy/compiler.ts'
import { KeptPolicies, type LoadedPolicy, loadWithBasis, rememberProof } from '../../src/policy/index.ts'
import { House } from './house.ts'

const gate = (message: string): string =>
  `gates:\n  g:\n    rules: [{ id: r, when: { command: x }, then: deny, message: ${message} }]\n`

const refuted = { what: 'g can be closed with no way left to open it', at: 'signalbox.yaml:3', advice: 'let `x` pass' }
const found = { complete: true, findings: [{ kind: 'deadlock', what: refuted.what }], refuted }

const said = ({ program }: LoadedPolicy) => program.gates.map(one => one.rules[0]?.message)

class Refutable extends House {
  /** Loads it, and then it is found out. */
  refute(text: string): string {
    this.project(text)
    const { hash } = this.load({ unproven: true, stores: false }).program
    this.load()
    rememberProof(this.stateDir, hash, found)
    return hash
  }
}

describe('a policy that an agent can get stuck in', () => {
  it('is not in force where there is an earlier one, whose proof counts then', () => {
    const house = new Refutable()
    house.project(gate('one'))
    const { hash } = house.load().program
    const stuck = house.refute(gate('two'))
    const loaded = house.load()
    expect([said(loaded), loaded.fromCache, loaded.program.hash, stuck === hash]).toEqual([['one'], false, hash, false])
    expect(loaded.layers).toMatchObject([{ state: 'last-good', savedAt: expect.any(Number) }])
    expect(loaded.problems).toMatchObject([{ line: 3, message: refuted.what, help: 'let `x` pass', stuck: true }])
    expect(loaded.program.notices).toEqual([
      expect.stringMatching(
        /^signalbox.yaml is not loaded \(signalbox.yaml:3:1 g can be .* open it; let `x` pass\); its version of \S+ \S+ UTC is still enforced$/,
      ),
    ])
    expect(house.load()).toEqual({ ...loaded, fromCache: true })
  })

  it('is never what another one falls back on', () => {
    const house = new Refutable()
    house.project(gate('one'))
    house.load()
    house.refute(gate('two'))
    expect(said(house.load())).toEqual(['one'])
    house.refute(gate('three'))
    expect(said(house.load())).toEqual(['one'])
    house.project('gates: [')
    expect(said(house.load())).toEqual(['one'])
    house.project(gate('four'))
    expect([said(house.load()), house.load().problems, house.load().program.notices]).toEqual([['four'], [], []])
    house.project('gates: [')
    expect(said(house.load())).toEqual(['four'])
  })

  it('that it fell back on makes way for the one before', () => {
    const house = new Refutable()
    house.project(gate('one'))
    house.load()
    house.project(gate('two'))
    const { hash } = house.load().program
    house.refute(gate('three'))
    expect(said(house.load())).toEqual(['two'])
    rememberProof(house.stateDir, hash, found)
    expect(said(house.load())).toEqual(['one'])
  })

  it('stays in force where there is no earlier one, and every session is told', () => {
    const house = new Refutable()
    house.refute(gate('one'))
    const loaded = house.load()
    expect([said(loaded), loaded.problems, loaded.layers[0]?.state]).toEqual([['one'], [], 'active'])
    expect(loaded.program.notices).toEqual([
      expect.stringMatching(/^an agent can get stuck in the policy \(signalbox.yaml:3:1 .*\); it is in force, for /),
    ])
    expect(house.load()).toEqual({ ...loaded, fromCache: true })
    house.project('gates: [')
    expect(said(house.load())).toEqual(['one'])
  })

  it('is in force once a person has accepted it, for as long as it is that one', () => {
    const house = new Refutable()
    house.project(gate('one'))
    house.load()
    const hash = house.refute(gate('two'))
    rememberProof(house.stateDir, hash, { ...found, accepted: true })
    // proven once more it is still accepted
    rememberProof(house.stateDir, hash, found)
    const { problems, program } = house.load()
    expect([said(house.load()), problems, program.notices]).toEqual([['two'], [], []])
    house.refute(gate('three'))
    expect(said(house.load())).toEqual(['two'])
  })

  it('is in force where nothing but a word or an unfinished search is told of it', () => {
    const house = new Refutable()
    house.project(gate('one'))
    house.load()
    house.project(gate('two'))
    const { hash } = house.load().program
    rememberProof(house.stateDir, hash, { complete: false, findings: [{ kind: 'shadowed', what: 'r never speaks' }] })
    expect([said(house.load()), house.load().program.notices]).toEqual([['two'], []])
  })

  it('of a project never brings back an older one of who is above it', () => {
    const house = new Refutable()
    house.user(gate('mine'))
    house.load()
    house.user(gate('mine-now'))
    house.load()
    house.refute(gate('one').replace('  g:', '  h:'))
    expect(said(house.load())).toEqual(['mine-now', 'one'])
    house.project(gate('two').replace('  g:', '  h:'))
    expect(said(house.load())).toEqual(['mine-now', 'two'])
  })

  it('goes back to what it referred to then', () => {
    const house = new Refutable()
    house.write('why.md', 'because')
    house.project(gate('why.md'))
    house.load()
    house.write('why.md', 'no reason')
    house.refute(gate('why.md'))
    const loaded = house.load()
    expect([said(loaded), loaded.layers[0]?.state]).toEqual([['because'], 'last-good'])
  })

  it('is told of in every folder by a process that stays', () => {
    const house = new Refutable()
    house.project(gate('one'))
    let now = 0
    const kept = new KeptPolicies(() => ++now)
    const noticesIn = (place: string) =>
      kept.load(place, house.input(), ++now, () => loadWithBasis(house.input(), () => compiler)).program.notices.length
    expect(['a', 'b'].map(noticesIn)).toEqual([0, 0])
    house.refute(gate('one'))
    expect(['a', 'b', 'a', 'b'].map(noticesIn)).toEqual([1, 1, 1, 1])
  })
})
