import type { VerificationResult } from '../../src/analysis/verify/index.ts'
import { conditionsOf, type Doc } from './doc.ts'
import { type Simulation, simulate } from './simulator.ts'
import { PROFILES, proofOfDoc } from './small.ts'

/** What the proof says of a policy, what the simulator says, and where they differ. */
export interface Comparison {
  readonly proof: VerificationResult
  readonly simulation: Simulation & {
    /** only several things at once bring it about */
    readonly isByAtOnce: boolean
  }
  readonly differences: readonly string[]
}

type Finding = VerificationResult['findings'][number]

const nameOf = ({ gate = 'any' }: Finding): string => gate.replace('user/', '')
const unique = (list: readonly string[]): readonly string[] => [...new Set(list)].sort()

/** The simulator starts no session as an agent of a type. */
const isPlayed = ({ what }: Finding): boolean => !what.includes('where the main agent runs as')

/** What cannot go on: gates by name, `a turn`, `an agent`. */
const locksIn = (findings: readonly Finding[]): readonly string[] =>
  unique(
    findings
      .filter(isPlayed)
      .filter(one => !one.what.startsWith('the main agent can'))
      .flatMap(one => {
        if (one.kind === 'deadlock') return one.livelock ? [] : nameOf(one)
        if (one.kind !== 'cannot-end') return []
        return one.what.startsWith('a turn') ? 'a turn' : 'an agent'
      }),
  )

export const locksOf = ({ stuck, turn, agent }: Simulation): readonly string[] =>
  unique([...stuck, ...(turn ? ['a turn'] : []), ...(agent ? ['an agent'] : [])])

export function compare(doc: Doc, client: string, most: number): Comparison {
  const profile = PROFILES[client]
  if (!profile) throw new Error(`no profile of ${client}`)
  const proof = proofOfDoc(doc, client)
  const plain = withVariables(doc, false)
  const all = simulate(plain, profile, { atOnce: true, most })
  // what happens in turn is among all that happens
  const isPlain = !all.isCut && locksOf(all).length + all.misleading.length === 0
  const inTurn = isPlain ? all : simulate(plain, profile, { atOnce: false, most })
  const isByAtOnce = locksOf(all).some(one => !locksOf(inTurn).includes(one))
  return {
    proof,
    simulation: { ...all, misleading: inTurn.misleading, isByAtOnce },
    differences: [
      ...ofLocks(proof, all, inTurn),
      ...ofWork(proof, all),
      ...ofHelplessness(proof, all),
      ...ofAdvice(proof, all, inTurn),
      ...(plain === doc
        ? []
        : ofVariables(proof, all, simulate(withVariables(doc, true), profile, { atOnce: true, most }))),
    ],
  }
}

/** The policy where its variables are set, or where none is. */
function withVariables(doc: Doc, areSet: boolean): Doc {
  if (!Object.values(doc.gates).some(gate => conditionsOf(gate).some(one => one.env))) return doc
  const known = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(known)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).flatMap(([key, one]) =>
      key !== 'env' ? [[key, known(one)] as const] : areSet ? [] : [['never', true] as const],
    )
    return Object.fromEntries(entries)
  }
  return known(doc) as Doc
}

/** What is so only where a variable is set is not certain: somebody may want just that. It has to be said all the same. */
function ofVariables(proof: VerificationResult, unset: Simulation, set: Simulation): readonly string[] {
  if (unset.isCut || set.isCut) return []
  const found = locksIn(proof.findings)
  const said = locksIn(proof.inconclusive.filter(one => one.inconclusiveReason?.startsWith('only where')))
  return [
    ...said.filter(one => !locksOf(set).includes(one)).map(one => `${one}: locked by a variable, by the proof only`),
    ...locksOf(set)
      .filter(one => !isUnproven(proof) && found.length === 0 && !locksOf(unset).includes(one))
      .map(one => `${one}: locked by a variable, not by the proof`),
  ]
}

/** It says itself that it is none. */
export const isUnproven = ({ complete, inconclusive }: VerificationResult): boolean =>
  !complete || inconclusive.length > 0

/**
 * What is found must be so. What is so must be found, unless it is said that this is no proof. What only several things at once bring
 * about need not be named as well where another lock was: it is proven again once that is mended.
 */
function ofLocks(proof: VerificationResult, simulation: Simulation, inTurn: Simulation): readonly string[] {
  if (simulation.isCut) return []
  const found = locksIn(proof.findings)
  return [
    ...found.filter(one => !locksOf(simulation).includes(one)).map(one => `${one}: locked by the proof only`),
    ...locksOf(simulation)
      .filter(one => !isUnproven(proof) && !found.includes(one))
      .filter(one => found.length === 0 || locksOf(inTurn).includes(one))
      .map(one => `${one}: locked${locksOf(inTurn).includes(one) ? '' : ' at once'}, not by the proof`),
  ]
}

/**
 * Where a gate is stuck, that has been told: of work that is never done it need not speak as well. What bars an agent another one
 * may open that runs beside it, which is not played.
 */
function ofWork(proof: VerificationResult, simulation: Simulation): readonly string[] {
  if (simulation.isCut) return []
  const isFound = proof.findings.some(one => one.livelock && isPlayed(one))
  const isAsked = !isUnproven(proof) && locksOf(simulation).length === 0
  if (isFound && !simulation.barred && !simulation.isBarredInTurn) return ['work: barred by the proof only']
  return simulation.isMainBarred && isAsked && !isFound ? ['work: barred, not by the proof'] : []
}

/** Where a gate is stuck, or a turn, that has been told. */
function ofHelplessness(proof: VerificationResult, simulation: Simulation): readonly string[] {
  if (simulation.isCut) return []
  const isFound = proof.findings.some(
    one => one.what.startsWith('the main agent can') && !one.what.includes('until time'),
  )
  const isAsked = !isUnproven(proof) && locksOf(simulation).length === 0 && !proof.findings.some(one => one.livelock)
  if (isFound && !simulation.helpless && !simulation.isWorkLeftToNobody) return ['main: helpless by the proof only']
  return simulation.helpless && isAsked && !isFound ? ['main: helpless, not by the proof'] : []
}

/** A line that does several things may be what it is found by. */
function ofAdvice(proof: VerificationResult, all: Simulation, inTurn: Simulation): readonly string[] {
  if (inTurn.isCut || all.isCut) return []
  const found = unique(
    proof.findings.filter(one => one.kind === 'misleading' && !one.ineffective && isPlayed(one)).map(nameOf),
  )
  return [
    ...found.filter(one => !all.misleading.includes(one)).map(one => `${one}: misleading by the proof only`),
    ...inTurn.misleading
      .filter(one => proof.complete && !found.includes(one))
      .map(one => `${one}: misleading, not by the proof`),
  ]
}
