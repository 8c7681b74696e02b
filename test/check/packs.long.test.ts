import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isProven } from '../../src/analysis/verify/index.ts'
import { proofOf, withPolicies } from './ground.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const packs = readdirSync(join(ROOT, 'packs'), { withFileTypes: true }).flatMap(one =>
  one.isDirectory() ? one.name : [],
)

/** Packs that send the agent somewhere, or wait for it: their rules meet in the longest ways. */
const LEADING = [
  ...['master-orchestrator', 'orchestrator-boundary', 'quality', 'router-first', 'self-protection', 'tool-routing'],
]
const isLeading = (pack: string): boolean => LEADING.includes(pack)

/** They count up to a number for themselves. Beside two leading packs there are more states than `check` looks at. */
const COUNTING = ['budget', 'focus']

/** It denies calls for what they are, and has hardly a state. All guards are proven at once. */
const isGuard = (pack: string): boolean => !isLeading(pack) && !COUNTING.includes(pack)

/** The packs of a whole way of working: four of them, and all five. */
const WORKFLOW = LEADING.filter(pack => pack !== 'quality')

/** Every choice of one, of two of which one is no guard, of three leading packs, of the workflow, and all guards together. */
const choices = [
  ...packs.flatMap((a, at) => [
    [a],
    ...packs.slice(at + 1).flatMap((b, next) => [
      ...(isGuard(a) && isGuard(b) ? [] : [[a, b]]),
      ...packs
        .slice(at + next + 2)
        .filter(c => [a, b, c].every(isLeading))
        .map(c => [a, b, c]),
    ]),
  ]),
  ...WORKFLOW.map(left => WORKFLOW.filter(pack => pack !== left)),
  WORKFLOW,
  packs.filter(isGuard),
]

/** Options that change how gates move, each choice of each. */
const variants = packs.flatMap(pack => {
  const { options = {} } = parse(readFileSync(join(ROOT, 'packs', pack, 'pack.yaml'), 'utf8'))
  return Object.entries<{ one?: unknown[]; default?: unknown }>(options).flatMap(([name, { one, default: usual }]) => {
    const others = one ?? (typeof usual === 'boolean' ? [!usual] : [])
    return others.filter(value => value !== usual).map(value => ({ [pack]: { [name]: value } }))
  })
})

const proven = (use: unknown) =>
  withPolicies((load, root) => {
    const proof = proofOf(load({ use }), root)
    return { proven: isProven(proof), findings: proof.findings.map(({ kind, what, why }) => [kind, what, why]) }
  })

const FINE = { proven: true, findings: [] }

describe('built-in packs cannot lock an agent up', () => {
  it.each(choices.map(use => [use.join(' + '), use] as const))('%s', { timeout: 300_000 }, (_, use) => {
    expect(proven(use)).toEqual(FINE)
  })

  it.each(variants.map(one => [JSON.stringify(one), one] as const))('%s', { timeout: 300_000 }, (_, one) => {
    expect(proven([one])).toEqual(FINE)
  })

  it('what init writes is proven, also once its gate blocks', () => {
    const starter = readFileSync(join(ROOT, 'packs/starter.yaml'), 'utf8').replaceAll('{tests}', 'npm test')
    withPolicies((load, root) => {
      const proof = proofOf(load(starter), root)
      expect({ proven: isProven(proof), notes: proof.notes }).toEqual({ proven: true, notes: [] })
    })
  })

  it('each request routed, each escalation handed over', { timeout: 300_000 }, () => {
    expect(proven([{ 'router-first': { per: 'prompt', handoff: true } }])).toEqual(FINE)
  })
})
