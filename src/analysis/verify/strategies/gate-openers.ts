import type { Gate, Transition } from '../../../engine/index.ts'
import { atomsOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { findUnsendableOpener } from '../properties/inconclusive.ts'
import { describeAction } from '../report/descriptions.ts'
import type { AgentAction } from '../system/agent-action.ts'

/** Actions that may open the gate, or that it counts until it opens. */
export function openersOf({ dependencies }: AnalysisContext, gate: Gate): readonly AgentAction[] {
  const movers = dependencies.movers(gate, 'open')
  const isCounted = gate.transitions.some(
    transition => transition.to === 'open' && transition.clock && isOf(transition, 'operations'),
  )
  return movers.length === 0 && isCounted ? dependencies.countedBy(gate) : movers
}

const isOf = ({ when }: Transition, wanted: string): boolean =>
  atomsOf(when).some(atom => atom.key === 'since' && atom.counters.some(({ unit }) => unit === wanted))

/** Explains why no action opens the gate; `agent`: for this agent. */
export function explainUnopenableGate(context: AnalysisContext, gate: Gate, agent?: string): string {
  const { name, transitions } = gate
  const unreported = context.dependencies.findUnreportedOpener(gate)
  if (unreported)
    return `the success of \`${describeAction(unreported)}\` would open ${name}, but the result of such a call is not reported`
  const unsendable = agent === undefined ? findUnsendableOpener(context, gate) : undefined
  if (unsendable) return `\`${describeAction(unsendable)}\` would open ${name}, but such calls are not reported there`
  if (isUnreportedFailure(context, gate))
    return `a failure would open ${name}, and \`tool.failed\` is never sent there: write \`event: tool.after, succeeded: false\``
  if (transitions.some(transition => transition.to === 'open' && transition.clock && isOf(transition, 'turns')))
    return `only another turn opens ${name}, and a turn begins with a prompt of the user`
  return agent === undefined
    ? `nothing an agent does opens ${name}`
    : `nothing the agent ${agent} does opens ${name} for it`
}

/** The gate opens only on `tool.failed`, which this client does not send; it reports failures by `tool.after`. */
const isUnreportedFailure = ({ profile }: AnalysisContext, { transitions }: Gate): boolean =>
  !profile.sendsEvent('tool.failed') &&
  profile.sendsEvent('tool.after') &&
  transitions.some(
    ({ to, events }) => to === 'open' && events.length > 0 && events.every(event => event === 'tool.failed'),
  )
