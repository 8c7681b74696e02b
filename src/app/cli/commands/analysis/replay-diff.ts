import {
  type Explanation,
  explainEvent,
  explanationHeadline,
  findCounterfactuals,
  showExplanation,
} from '../../../../analysis/explain/index.ts'
import type { RequestedEvent } from '../../../../analysis/replay/index.ts'
import { clientById } from '../../../../clients/index.ts'
import type { EvaluationInput, Regex } from '../../../../engine/index.ts'
import { escapeControlChars } from '../../../../lib/escape-control-chars.ts'
import { localClock, localTime } from '../../../../lib/local-time.ts'
import { createMask } from '../../../../store/index.ts'
import { createCounterfactualTools } from './counterfactual-tools.ts'

/** Shows one past event as the tested policy and the policy in force decide it. */
export function formatReplayDiff(wanted: RequestedEvent, regex: Regex, home: string): string {
  const { sample, event, inputs, moved } = wanted
  const { at, client, session, caller, id } = sample
  const explained = (input: EvaluationInput, moves: GateMoves): string => {
    const { explanation, counterfactuals } = explanationOf(input, client, regex, home)
    const notes = gateStateLines(explanation, input, moves)
    return showExplanation(explanationHeadline(explanation, event), explanation, { counterfactuals, notes })
  }
  const head = escapeControlChars(`${id}  ${localTime(at)}  ${client} ${caller}, session ${session}`)
  const { after, before } = inputs
  const lines = [
    head,
    '',
    explained(after, moved?.after),
    ...(before ? ['', 'Current policy:', explained(before, moved?.before)] : []),
    '',
  ]
  // transcripts can contain secrets
  return createMask(event)(lines.join('\n'))
}

/** The same result as JSON. */
export function replayDiffJson(
  { sample, event, inputs, before, after }: RequestedEvent,
  regex: Regex,
  home: string,
): string {
  const { at, client, session, caller, id } = sample
  const explained = (input: EvaluationInput) => explanationOf(input, client, regex, home)
  const told = {
    ...{ id, at: new Date(at).toISOString(), client, session, caller, before, after },
    ...explained(inputs.after),
    ...(inputs.before && { inForce: explained(inputs.before) }),
  }
  const veil = createMask(event)
  return `${JSON.stringify(told, (_, value) => (typeof value === 'string' ? veil(value) : value), 2)}\n`
}

function explanationOf(input: EvaluationInput, client: string, regex: Regex, home: string) {
  const silent = input.program.gates.filter(gate => gate.code !== undefined)
  const codeGates = Object.fromEntries(silent.map(gate => [gate.id, () => ({ decision: 'pass' as const })]))
  const tools = { regex, codeGates }
  const known = clientById(client)
  // past records keep a shortened line, so retyped lines are not suggested
  const counterfactuals = known
    ? findCounterfactuals(input, tools, {
        ...createCounterfactualTools(input, tools, known, home),
        retyped: () => undefined,
      })
    : []
  return { explanation: explainEvent(input, tools), counterfactuals }
}

type GateMoves = NonNullable<RequestedEvent['moved']>['after'] | undefined

/** Says for each gate that spoke what last changed its state. */
const gateStateLines = ({ gates }: Explanation, { program }: EvaluationInput, moves: GateMoves): readonly string[] =>
  gates.flatMap(({ gate, name, state, verdict }) => {
    if (state === undefined || verdict === 'pass' || verdict === 'skip') return []
    const last = moves?.get(gate)
    if (last?.to === state)
      return [`${name} is ${state} since ${localClock(last.at)} through transition \`${last.transition}\`: ${last.by}`]
    const isFirst = !last && program.gates.some(one => one.id === gate && one.initial === state)
    return isFirst ? [`${name} is ${state} since the session started: no transition matched`] : []
  })
