import type { Reply } from '../../clients/index.ts'
import type { Condition } from '../../engine/index.ts'
import { actionsOfTool, type Event, evaluate, type Gate, newSession } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import { EvaluationPlans } from '../budget/evaluation-budget.ts'
import { withActions } from '../events/actions.ts'
import { gatherFacts, knownShellVariables } from '../phases/analyse-actions.ts'
import { suggestionConflicts } from '../reply/suggestion-order.ts'
import { launcherIn } from '../services/folders.ts'
import type { HookCall, HookServices } from '../services/hook-services.ts'

/** An event that could not be evaluated as usual: the state is unavailable or the time is over. */
interface Unjudged {
  readonly event: Event
  readonly root: string
  /** absent: the policy could not be loaded either */
  readonly program?: Policy | undefined
  /** the deadline passed, perhaps because of the project's policies */
  readonly late: boolean
  readonly why: string
}

/**
 * Evaluates only the gates without state. Their denials hold, so that a full disk or a lock does not lift them. Their other verdicts are
 * ignored, since the remaining gates were not evaluated. Undefined: no gate denies the call.
 */
export function statelessRefusal(unjudged: Unjudged, request: HookCall, services: HookServices): Reply | undefined {
  const { event, why } = unjudged
  const { client } = request
  if (!isCall(event)) return undefined
  try {
    const outcome = judge(unjudged, request, services)
    if (outcome.decision !== 'deny' && outcome.decision !== 'ask') return undefined
    const message = `signalbox: only rules that need no stored state were evaluated: ${why}`
    return client.encode({ ...outcome, message: [outcome.message, message].filter(Boolean).join('\n') }, event)
  } catch {
    // the built-in gate's verdict is unknown, so deny; it never denies calls that only read
    return onlyLooks(event) ? undefined : client.failure('closed', { name: event.name, kind: event.kind }, why)
  }
}

const isCall = ({ kind, call }: Event): boolean =>
  call !== undefined && (kind === 'tool.before' || kind === 'permission.request')

function judge({ event: sent, root, program: whole, late }: Unjudged, request: HookCall, services: HookServices) {
  const { client, cwd, now, env, text } = request
  const { regex, shell, folders } = services
  const { home, data } = folders
  const program = stateless(whole ?? services.stronger(root).program, late)
  const context = {
    root,
    home,
    launcher: launcherIn(data),
    shell,
    vars: knownShellVariables(client, root),
    cwd: sent.cwd ?? cwd,
    program,
  }
  const event = withActions(sent, context)
  const facts = gatherFacts(event, program, { now, env, root, home })
  const plans = new EvaluationPlans(program, [], { payload: text.length, regex })
  const plan = plans.of({ event, facts })
  const within = plan ? plan.within(program) : program
  const session = newSession(event.session, root, now)
  const input = { event, session, program: within, facts, capabilities: client.capabilities }
  return evaluate(input, {
    regex,
    views: plan?.views,
    conflicts: (...asked) => suggestionConflicts(other => withActions(other, context), ...asked),
  }).outcome
}

const stateless = (program: Policy, late: boolean): Policy => ({
  ...program,
  notices: [],
  gates: program.gates
    .filter(gate => gate.initial === undefined && gate.code === undefined)
    .filter(({ layer }) => !late || (layer !== 'project' && layer !== 'nested'))
    .map(withoutOthers),
})

/** Removes rules that depend on the state of gates. */
const withoutOthers = (gate: Gate): Gate => ({
  ...gate,
  rules: gate.rules.filter(
    ({ when, unless }) => ![when, unless].some(candidate => candidate && dependsOnState(candidate)),
  ),
})

function dependsOnState(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(dependsOnState)
  if ('any' in condition) return condition.any.some(dependsOnState)
  if ('not' in condition) return dependsOnState(condition.not)
  if ('with' in condition) return dependsOnState(condition.with)
  if (condition.key === 'file') return condition.in.some(state => state !== 'exists')
  return condition.key === 'gate' || condition.key === 'captured' || condition.key === 'since'
}

const LOOKS = ['read', 'search', 'fetch', 'ask', 'coordinate']

function onlyLooks({ call }: Event): boolean {
  const reading = call && actionsOfTool(call.tool, call.input)
  return reading !== undefined && 'acts' in reading && reading.acts.every(({ action }) => LOOKS.includes(action))
}
