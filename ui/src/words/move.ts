import type { DecisionRow } from '../../../src/app/dashboard/api.ts'
import { shortGateName } from './name.ts'

type Moved = Pick<DecisionRow, 'outcome' | 'moves'>

const verbOf = (to: string): string => (to === 'open' ? 'opens' : 'closes')

/** `closes tests-before-push, opens planned`: the gates that an event moved. Without the first if the row's word already shows it. */
export function movesText({ outcome: word, moves }: Moved): string {
  const otherMoves = word === 'opens' || word === 'closes' ? moves.slice(1) : moves
  return otherMoves.map(({ gate, to }) => `${verbOf(to)} ${shortGateName(gate)}`).join(', ')
}

/** How the event moved this gate, for the gate's history; undefined if it did not. */
export function moveTextOfGate({ moves }: Moved, gate: string): string | undefined {
  const last = moves.findLast(move => move.gate === gate)
  return last && verbOf(last.to)
}
