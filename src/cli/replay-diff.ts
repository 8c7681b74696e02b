import { clientById } from '../clients/index.ts'
import type { Input } from '../core/index.ts'
import { explainEvent, flipsOf, headOf, showExplanation } from '../explain/index.ts'
import { type Regex, visible, wallOf } from '../pattern/index.ts'
import type { Wanted } from '../replay/index.ts'
import { veilOf } from '../store/index.ts'
import { turningOf } from './turning.ts'

/** One event of the past, as the policy that is tried sees it, and the one in force. */
export function showWanted({ sample, event, inputs }: Wanted, regex: Regex, home: string): string {
  const { at, client, session, caller, id } = sample
  const known = clientById(client)
  const explained = (input: Input, notes: readonly string[]): string => {
    const codeGates = Object.fromEntries(
      input.program.gates.flatMap(gate =>
        gate.code === undefined ? [] : [[gate.id, () => ({ decision: 'pass' as const })]],
      ),
    )
    const explanation = explainEvent(input, { regex, codeGates })
    const tools = { regex, codeGates }
    // what the past keeps of a line is not what was typed
    const flips = known
      ? flipsOf(input, tools, { ...turningOf(input, tools, known, home), retyped: () => undefined })
      : []
    return showExplanation(headOf(explanation, event), explanation, { flips, notes })
  }
  const head = visible(`${id}  ${wallOf(at)}  ${client} ${caller}, session ${session}`)
  const { after, before } = inputs
  const lines = [head, '', explained(after, []), ...(before ? ['', 'In force:', explained(before, [])] : []), '']
  // a transcript keeps secrets
  return veilOf(event)(lines.join('\n'))
}
