import type { Reply } from '../../clients/index.ts'
import type { Condition } from '../../engine/index.ts'
import { actionsOfTool, type Event, evaluate, type Gate, newSession } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import { EvaluationPlans } from '../budget/evaluation-budget.ts'
import { withActions } from '../events/actions.ts'
import { knownShellVariables } from '../events/prepare-event.ts'
import { gatherFacts } from '../facts/gather-facts.ts'
import { refusersOfSuggestion } from '../reply/suggestion-order.ts'
import { launcherIn } from '../services/folders.ts'
import type { HookCall, HookServices } from '../services/hook-services.ts'

/** An event that could not be judged as usual: the state cannot be had, or time is over. */
interface Unjudged {
  readonly event: Event
  readonly root: string
  /** absent: not even the policy could be had */
  readonly program?: Policy | undefined
  /** the project's policies may be what took the time */
  readonly late: boolean
  readonly why: string
}

/**
 * What the gates say that remember nothing: they need no state. A refusal of theirs stands, so that a full disk or a lock does not
 * lift it; whatever else they say is not said, since they are not all. Undefined: nothing refuses it.
 */
export function statelessRefusal(unjudged: Unjudged, request: HookCall, house: HookServices): Reply | undefined {
  const { event, why } = unjudged
  const { client } = request
  if (!isCall(event)) return undefined
  try {
    const outcome = judge(unjudged, request, house)
    if (outcome.decision !== 'deny' && outcome.decision !== 'ask') return undefined
    const message = `signalbox: only what needs no state was judged: ${why}`
    return client.encode({ ...outcome, message: [outcome.message, message].filter(Boolean).join('\n') }, event)
  } catch {
    // nobody knows what the built-in gate would have said; what only reads, it never refuses
    return onlyLooks(event) ? undefined : client.failure('closed', { name: event.name, kind: event.kind }, why)
  }
}

const isCall = ({ kind, call }: Event): boolean =>
  call !== undefined && (kind === 'tool.before' || kind === 'permission.request')

function judge({ event: sent, root, program: whole, late }: Unjudged, request: HookCall, house: HookServices) {
  const { client, cwd, now, env, text } = request
  const { regex, shell, folders } = house
  const { home, data } = folders
  const program = stateless(whole ?? house.stronger(root).program, late)
  const ground = {
    root,
    home,
    launcher: launcherIn(data),
    shell,
    vars: knownShellVariables(client, root),
    cwd: sent.cwd ?? cwd,
  }
  const event = withActions(sent, ground)
  const facts = gatherFacts(event, program, { now, env, root, home })
  const plans = new EvaluationPlans(program, [], { payload: text.length, regex })
  const plan = plans.of({ event, facts })
  const within = plan ? plan.within(program) : program
  const session = newSession(event.session, root, now)
  const input = { event, session, program: within, facts, capabilities: client.capabilities }
  return evaluate(input, { regex, views: plan?.views, refusers: refusersOfSuggestion }).outcome
}

const stateless = (program: Policy, late: boolean): Policy => ({
  ...program,
  notices: [],
  gates: program.gates
    .filter(gate => gate.initial === undefined && gate.code === undefined)
    .filter(({ layer }) => !late || (layer !== 'project' && layer !== 'nested'))
    .map(withoutOthers),
})

/** Without rules that look at the state of other gates. */
const withoutOthers = (gate: Gate): Gate => ({
  ...gate,
  rules: gate.rules.filter(({ when, unless }) => ![when, unless].some(one => one && asksState(one))),
})

function asksState(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(asksState)
  if ('any' in condition) return condition.any.some(asksState)
  if ('not' in condition) return asksState(condition.not)
  return condition.key === 'gate' || condition.key === 'captured' || condition.key === 'since'
}

const LOOKS = ['read', 'search', 'fetch', 'ask', 'coordinate']

function onlyLooks({ call }: Event): boolean {
  const reading = call && actionsOfTool(call.tool, call.input)
  return reading !== undefined && 'acts' in reading && reading.acts.every(({ action }) => LOOKS.includes(action))
}
