import { explainEvent } from '../../src/analysis/explain/index.ts'
import { type EvaluationInput, type EvaluationResult, type EvaluationTools, evaluate } from '../../src/engine/index.ts'

/** Where the explanation tells of something else than the engine did: nowhere, it is hoped. */
export function disagreements(
  input: EvaluationInput,
  tools: EvaluationTools,
  result: EvaluationResult,
): readonly string[] {
  const told = explainEvent({ ...evaluate(input, tools), input, tools })
  const wrong: string[] = []
  const same = (what: string, explained: unknown, happened: unknown): void => {
    const [a, b] = [JSON.stringify(explained), JSON.stringify(happened)]
    if (a !== b) wrong.push(`${what}: explained ${a}, happened ${b}`)
  }
  same('decision', told.decision, result.outcome.decision)
  for (const gate of told.gates) {
    if (gate.error !== undefined) continue
    const ids = new Set(gate.rules.map(one => one.rule))
    const spoke = gate.rules
      .filter(one => one.result === 'fires' || one.result === 'unsure')
      .map(one => `${one.rule} ${one.decision} ${one.result === 'unsure'}`)
    // what a code gate says and a capture that was refused are rules of no policy
    const recorded = result.record.matches
      .filter(one => one.gate === gate.gate && ids.has(one.rule))
      .map(one => `${one.rule} ${one.decision} ${one.unsure === true}`)
    same(`rules of ${gate.gate}`, [...new Set(spoke)].sort(), [...new Set(recorded)].sort())
  }
  const moving = told.gates.filter(gate => gate.transitions.some(one => one.result === 'moves')).map(one => one.gate)
  const moved = new Set(result.record.moves.map(one => one.gate))
  for (const gate of moving) if (!moved.has(gate)) wrong.push(`${gate} did not move`)
  // what waited for the end of the call was explained when it was asked
  const waited = new Set(input.session.waiting.flatMap(one => one.moves.map(move => move.gate)))
  for (const gate of moved) if (!moving.includes(gate) && !waited.has(gate)) wrong.push(`${gate} moved unexplained`)
  return wrong
}
