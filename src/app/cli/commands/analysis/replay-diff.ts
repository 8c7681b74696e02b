import {
  type Explanation,
  explainEvent,
  explanationHeadline,
  findCounterfactuals,
  showExplanation,
} from '../../../../analysis/explain/index.ts'
import type { RequestedEvent } from '../../../../analysis/replay/index.ts'
import { clientById } from '../../../../clients/index.ts'
import { escapeControlChars } from '../../../../lib/escape-control-chars.ts'
import { localClock, localTime } from '../../../../lib/local-time.ts'
import { createMask } from '../../../../store/index.ts'
import { createCounterfactualTools } from './counterfactual-tools.ts'

/** Shows one past event as the tested policy and the policy in force decide it. */
export function formatReplayDiff(wanted: RequestedEvent, home: string): string {
  const { sample, event, prior } = wanted
  const { at, client, session, caller, id } = sample
  const explained = (side: PriorState): string => {
    const { explanation, counterfactuals } = explanationOf(side, wanted, home)
    const notes = gateStateLines(explanation, side)
    return showExplanation(explanationHeadline(explanation, event), explanation, { counterfactuals, notes })
  }
  const head = escapeControlChars(`${id}  ${localTime(at)}  ${client} ${caller}, session ${session}`)
  const { after, before } = prior
  const lines = [head, '', explained(after), ...(before ? ['', 'Current policy:', explained(before)] : []), '']
  // transcripts can contain secrets
  return createMask(event)(lines.join('\n'))
}

/** The same result as JSON. */
export function replayDiffJson(wanted: RequestedEvent, home: string): string {
  const { sample, event, prior, before, after } = wanted
  const { at, client, session, caller, id } = sample
  const explained = (side: PriorState) => explanationOf(side, wanted, home)
  const diff = {
    ...{ id, at: new Date(at).toISOString(), client, session, caller, before, after },
    ...explained(prior.after),
    ...(prior.before && { inForce: explained(prior.before) }),
  }
  const mask = createMask(event)
  return `${JSON.stringify(diff, (_, value) => (typeof value === 'string' ? mask(value) : value), 2)}\n`
}

function explanationOf({ simulator }: PriorState, { event, sample }: RequestedEvent, home: string) {
  const point = { simulator, event }
  const known = clientById(sample.client)
  // past records keep a shortened line, so retyped lines are not suggested
  const counterfactuals = known
    ? findCounterfactuals(point, { ...createCounterfactualTools(point, known, home), retyped: () => undefined })
    : []
  return { explanation: explainEvent(simulator.preview(event)), counterfactuals }
}

type PriorState = RequestedEvent['prior']['after']

/** Says for each gate that spoke what last changed its state. */
const gateStateLines = ({ gates }: Explanation, { simulator, moved }: PriorState): readonly string[] =>
  gates.flatMap(({ gate, name, state, verdict }) => {
    if (state === undefined || verdict === 'pass' || verdict === 'skip') return []
    const last = moved.get(gate)
    if (last?.to === state)
      return [`${name} is ${state} since ${localClock(last.at)} through transition \`${last.transition}\`: ${last.by}`]
    const isFirst =
      !last && simulator.program.gates.some(candidate => candidate.id === gate && candidate.initial === state)
    return isFirst ? [`${name} is ${state} since the session started: no transition matched`] : []
  })
