import type { ClientText, Event, Gate, Rule, Transition } from '../../../engine/index.ts'
import { isActionNeverPermitted, isRefusedWhileClosed } from '../abstraction/blocking-rules.ts'
import { triggerEventKinds } from '../abstraction/condition-atoms.ts'
import { isWorkPrompt } from '../abstraction/input-partitioning/prompt-classes.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { describeAction } from '../report/descriptions.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'
import { promptAction } from '../system/lifecycle-actions.ts'

/** Words that show an agent that it has to ask a person. */
const HUMAN_MENTION =
  /\b(user|person|people|human|someone|somebody|maintainer|admin\w*|owner|operator|reviewer|approv\w+)\b/i

const messageVariants = (text: ClientText): readonly string[] =>
  typeof text === 'string' ? [text] : Object.values(text)

const refusingRulesOf = (gate: Gate): readonly Rule[] =>
  gate.rules.filter(rule => rule.while !== 'open' && (rule.then === 'deny' || rule.unsure === 'deny'))

/** A gate that only a person opens must say so in every rule that refuses. */
export function findMissingHumanMention(gate: Gate): readonly VerificationFinding[] {
  if (gate.opens !== 'human') return []
  return refusingRulesOf(gate)
    .filter(rule => !messageVariants(rule.message).every(text => HUMAN_MENTION.test(text)))
    .map(rule => ({
      kind: 'no-guidance',
      what: `only a person opens ${gate.name}, and the message of its rule ${rule.id} does not say so`,
      clients: [],
      gate: gate.id,
      counterexample: [],
      why: 'an agent that does not know to ask the user keeps trying',
      fix: [{ at: rule.at ?? gate.at ?? gate.id, advice: 'say in `message` that the user has to open it' }],
    }))
}

/** The gate has transitions to `open`, but no prompt of a person and no other event can trigger one. */
export function findGateNobodyCanOpen(context: AnalysisContext, gate: Gate): readonly VerificationFinding[] {
  const { profile, mayMust, prompts, incomplete } = context
  if (gate.opens !== 'human' || (gate.yields && gate.bypass) || refusingRulesOf(gate).length === 0) return []
  const opening = gate.transitions.filter(transition => transition.to === 'open')
  const isByOthers = (transition: Transition): boolean =>
    transition.clock ||
    triggerEventKinds(transition).some(
      kind => kind !== 'prompt.submit' && !AGENT_CAUSED_EVENTS.has(kind) && profile.sendsEvent(kind),
    )
  const calls = context.dependencies.movers(gate, 'open')
  if (opening.length === 0 || opening.some(isByOthers) || calls.some(action => mayBeDone(context, gate, action)))
    return []
  const [step] = opening
  const isOpening = ({ events }: AgentAction): boolean =>
    opening.some(transition => events.some(event => mayTriggerTransition(transition, event, mayMust)))
  const arePromptsSent = profile.sendsEvent('prompt.submit')
  if (arePromptsSent && prompts.filter(isWorkPrompt).map(promptAction).some(isOpening)) return []
  const isFromOtherSource = arePromptsSent && prompts.map(promptAction).some(isOpening)
  const why = arePromptsSent
    ? isFromOtherSource
      ? 'the opening prompt does not come from a person there'
      : calls.length > 0
        ? `\`${calls.slice(0, 1).map(describeAction).join()}\` would open it, and is refused whenever it is closed`
        : 'no prompt there meets its condition'
    : 'prompts are not reported there'
  return [
    {
      kind: 'no-guidance',
      what: `only a person opens ${gate.name}, and nothing a person does opens it`,
      ...{ clients: profile.clients, gate: gate.id, counterexample: [], why },
      ...(incomplete.has('prompt') &&
        !isFromOtherSource && {
          inconclusiveReason: 'not every `prompt` that the patterns distinguish could be tried',
        }),
      fix: [
        {
          at: step?.at ?? gate.at ?? gate.id,
          advice: 'open it by what the user writes: `when: { event: prompt.submit, source: user, prompt: … }`',
        },
      ],
    },
  ]
}

/** Can an agent do the action for the person while the gate is closed? If its first event opens the gate, the gate's rules do not apply. */
function mayBeDone(
  { program, mayMust, profile, dependencies }: AnalysisContext,
  gate: Gate,
  action: AgentAction,
): boolean {
  const opens = (event: Event): boolean =>
    gate.transitions.some(
      transition =>
        transition.to === 'open' && mayTriggerTransition(transition, event, mayMust, action.call?.isApproved),
    )
  const isRefused = (action: AgentAction): boolean =>
    isActionNeverPermitted(action, program, { mayMust, profile }) ||
    (!action.events.slice(0, 1).some(opens) && isRefusedWhileClosed(gate, action, { mayMust, profile }))
  const spawns = dependencies.actions.filter(other => other.actor === 'main' && other.spawns === action.actor)
  return !isRefused(action) && (action.actor === 'main' || !spawns.every(isRefused))
}

/** Events that agents cause. */
const AGENT_CAUSED_EVENTS: ReadonlySet<string> = new Set([
  'tool.before',
  'tool.after',
  'tool.failed',
  'permission.request',
  'agent.start',
  'agent.stop',
  'turn.stop',
])

/** Each agent has its own state, prompts go to the main agent only, and the gate refuses calls of subagents until a prompt opens it. */
export function findGateClosedToSubagents(context: AnalysisContext, gate: Gate): readonly VerificationFinding[] {
  const { transitions, opens, scope, initial, yields, bypass } = gate
  if (opens !== 'human' || scope !== 'agent' || initial !== 'closed' || (yields && bypass)) return []
  const opening = transitions.filter(transition => transition.to === 'open')
  const isByPrompt = ({ clock, events }: Transition): boolean =>
    !clock && events.every(kind => kind === 'prompt.submit')
  if (opening.length === 0 || !opening.every(isByPrompt)) return []
  const refused = context.dependencies.actions.find(
    action =>
      action.actor !== 'main' &&
      action.call !== undefined &&
      isRefusedWhileClosed(gate, action, context) &&
      !isActionNeverPermitted(action, context.program, context),
  )
  if (!refused) return []
  return [
    {
      kind: 'no-guidance',
      what: `only a person opens ${gate.name}, and nothing a person does opens it for a subagent`,
      ...{ clients: context.profile.clients, gate: gate.id, counterexample: [] },
      why: `with \`scope: agent\` a prompt opens it for the main agent only, and \`${describeAction(refused)}\` is refused`,
      fix: [
        {
          at: gate.at ?? gate.id,
          advice: 'write `scope: session`, or refuse only calls of the main agent: `caller: main`',
        },
      ],
    },
  ]
}

/** The gate waits for a person, but has no transition to `open`. A `bypass` of its own counts as a way to open it. */
export function findUnopenableGate(gate: Gate): readonly VerificationFinding[] {
  const { transitions, initial, yields, opens } = gate
  if (opens !== 'human' || (yields && gate.bypass)) return []
  const isEverShut = initial === 'closed' || transitions.some(transition => transition.to === 'closed')
  const isOpened = transitions.some(transition => transition.to === 'open')
  if (initial === undefined || !isEverShut || isOpened || refusingRulesOf(gate).length === 0) return []
  const when = '{ event: prompt.submit, source: user, prompt: … }'
  return [
    {
      kind: 'no-guidance',
      what: `only a person opens ${gate.name}, and nothing a person does opens it`,
      clients: [],
      gate: gate.id,
      counterexample: [],
      why: `it has no transition to \`open\`${yields ? ': the user can only bypass it (`signalbox bypass`)' : ', and it cannot be bypassed (`yields: false`)'}`,
      fix: [
        {
          at: gate.at ?? gate.id,
          advice: `add a transition for what the user writes: \`transitions: [{ from: closed, to: open, when: ${when} }]\``,
        },
      ],
    },
  ]
}
