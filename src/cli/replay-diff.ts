import { clientById } from '../clients/index.ts'
import type { Input } from '../core/index.ts'
import { type Explanation, explainEvent, flipsOf, headOf, showExplanation } from '../explain/index.ts'
import { clockOf, type Regex, visible, wallOf } from '../pattern/index.ts'
import type { Wanted } from '../replay/index.ts'
import { veilOf } from '../store/index.ts'
import { turningOf } from './turning.ts'

/** One event of the past, as the policy that is tried sees it, and the one in force. */
export function showWanted(wanted: Wanted, regex: Regex, home: string): string {
  const { sample, event, inputs, moved } = wanted
  const { at, client, session, caller, id } = sample
  const explained = (input: Input, moves: Moves): string => {
    const { explanation, flips } = explanationOf(input, client, regex, home)
    const notes = statesOf(explanation, input, moves)
    return showExplanation(headOf(explanation, event), explanation, { flips, notes })
  }
  const head = visible(`${id}  ${wallOf(at)}  ${client} ${caller}, session ${session}`)
  const { after, before } = inputs
  const lines = [
    head,
    '',
    explained(after, moved?.after),
    ...(before ? ['', 'In force:', explained(before, moved?.before)] : []),
    '',
  ]
  // a transcript keeps secrets
  return veilOf(event)(lines.join('\n'))
}

/** The same as JSON. */
export function wantedJson({ sample, event, inputs, before, after }: Wanted, regex: Regex, home: string): string {
  const { at, client, session, caller, id } = sample
  const explained = (input: Input) => explanationOf(input, client, regex, home)
  const told = {
    ...{ id, at: new Date(at).toISOString(), client, session, caller, before, after },
    ...explained(inputs.after),
    ...(inputs.before && { inForce: explained(inputs.before) }),
  }
  const veil = veilOf(event)
  return `${JSON.stringify(told, (_, value) => (typeof value === 'string' ? veil(value) : value), 2)}\n`
}

function explanationOf(input: Input, client: string, regex: Regex, home: string) {
  const silent = input.program.gates.filter(gate => gate.code !== undefined)
  const codeGates = Object.fromEntries(silent.map(gate => [gate.id, () => ({ decision: 'pass' as const })]))
  const tools = { regex, codeGates }
  const known = clientById(client)
  // what the past keeps of a line is not what was typed
  const flips = known
    ? flipsOf(input, tools, { ...turningOf(input, tools, known, home), retyped: () => undefined })
    : []
  return { explanation: explainEvent(input, tools), flips }
}

type Moves = NonNullable<Wanted['moved']>['after'] | undefined

/** Why each gate that spoke was in its state: what moved it last. */
const statesOf = ({ gates }: Explanation, { program }: Input, moves: Moves): readonly string[] =>
  gates.flatMap(({ gate, name, state, verdict }) => {
    if (state === undefined || verdict === 'pass' || verdict === 'skip') return []
    const last = moves?.get(gate)
    if (last?.to === state)
      return [`${name} is ${state} since ${clockOf(last.at)} by transition \`${last.transition}\`: ${last.by}`]
    const isFirst = !last && program.gates.some(one => one.id === gate && one.initial === state)
    return isFirst ? [`${name} is ${state} since the beginning: nothing has moved it`] : []
  })
