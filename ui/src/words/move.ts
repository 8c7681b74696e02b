import type { DecisionRow } from '../../../src/app/dashboard/api.ts'
import { shortGateName } from './name.ts'

type Moved = Pick<DecisionRow, 'word' | 'moves'>

const verbOf = (to: string): string => (to === 'open' ? 'opens' : 'closes')

/** `closes tests-before-push, opens planned`: what it moved by the way. The word of a row may say the first. */
export function movesText({ word, moves }: Moved): string {
  const told = word === 'opens' || word === 'closes' ? moves.slice(1) : moves
  return told.map(({ gate, to }) => `${verbOf(to)} ${shortGateName(gate)}`).join(', ')
}

/** What it did to one gate, where it moved it: that is what the history of this gate tells. */
export function moveTextOfGate({ moves }: Moved, gate: string): string | undefined {
  const last = moves.findLast(one => one.gate === gate)
  return last && verbOf(last.to)
}
