import type { Condition, Gate, Rule, Transition } from '../../../engine/index.ts'
import { isRefusedUntilOpen } from '../abstraction/blocking-rules.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { describeAction } from '../report/descriptions.ts'
import { withoutRunPrefix } from '../report/merge-findings.ts'
import {
  type AgentAction,
  actionForCall,
  mayRuleRefuse,
  mayTriggerTransition,
  refusableEvents,
} from '../system/agent-action.ts'

/**
 * Gates that refuse every write until a command succeeds that may itself need a write: "tests red: no edit until green". Whether a
 * command succeeds is not known before it runs, so this is a note and not a finding. `git` commands are excluded: they seldom need a write.
 */
export function noteUnrepairableGate(inquiry: AnalysisContext, gate: Gate): readonly string[] {
  if (gate.initial === undefined || gate.opens === 'human' || gate.mode !== 'block') return []
  const rule = refusingWrites(inquiry, gate)
  const words = rule && requiredCommandOf(inquiry, gate, [])
  if (!rule || words === undefined) return []
  const at = rule.at ?? gate.at ?? gate.id
  return [
    `${gate.name} refuses every write until \`${words}\` succeeds, and its success may need a write: deny the step after the change instead (\`command: git commit\`), or allow the needed writes (\`unless: { path: … }\`) (${at})`,
  ]
}

/** The rule that refuses writes, if the gate refuses all of them. */
function refusingWrites(inquiry: AnalysisContext, gate: Gate): Rule | undefined {
  const [any] = sampleWrites(inquiry)
  const rule = any && ruleRefusingUntilOpen(inquiry, gate, any)
  return rule &&
    inquiry.dependencies.actions.every(deed => !isWriteAction(deed) || ruleRefusingUntilOpen(inquiry, gate, deed))
    ? rule
    : undefined
}

/** The rule that refuses the action until the gate is open, without a limit. */
const ruleRefusingUntilOpen = (
  { mayMust, profile }: AnalysisContext,
  gate: Gate,
  deed: AgentAction,
): Rule | undefined =>
  rulesOf(gate).find(
    rule =>
      rule.limit === undefined &&
      isRefusedUntilOpen(rule, gate, deed, { mayMust, profile }) &&
      refusableEvents(deed).some(event => mayRuleRefuse(rule, event, mayMust, profile, deed.call?.isApproved)),
  )

/** The command that has to succeed before the gate opens. Undefined: something else opens it, or may open it. */
function requiredCommandOf(inquiry: AnalysisContext, gate: Gate, waiting: readonly Gate[]): string | undefined {
  if (waiting.includes(gate) || gate.opens === 'human') return undefined
  const each = gate.transitions
    .filter(one => one.to === 'open')
    .map(step => successCommandOf(inquiry, gate, step) ?? requiredByBlockers(inquiry, gate, step, waiting))
  return each.every(one => one !== undefined) ? each[0] : undefined
}

/** The command that has to succeed, if its failure or a write closes the gate again. */
function successCommandOf(inquiry: AnalysisContext, gate: Gate, step: Transition): string | undefined {
  const parts = conjunctsOf(step.when)
  const isSuccess = parts.some(one => 'key' in one && one.key === 'succeeded' && one.in.every(is => is === 'true'))
  const isOfFiles = parts.some(
    one =>
      'key' in one && one.key === 'command' && one.in.every(match => !('reading' in match) && match.program !== 'git'),
  )
  if (step.clock || !isSuccess || !isOfFiles || !isReclosedByWork(inquiry, gate, step)) return undefined
  const deed = triggersOf(inquiry, step).find(one => one.actor === 'main')
  return deed && withoutRunPrefix(describeAction(deed))
}

/** Every action that triggers the transition is blocked by another gate, which itself waits for such a command. */
function requiredByBlockers(
  inquiry: AnalysisContext,
  gate: Gate,
  step: Transition,
  waiting: readonly Gate[],
): string | undefined {
  const causes = triggersOf(inquiry, step).filter(one => one.actor === 'main')
  const each = causes.map(deed => {
    const others = inquiry.dependencies
      .refusers(deed)
      .filter(one => one !== gate && ruleRefusingUntilOpen(inquiry, one, deed))
    return others.map(one => requiredCommandOf(inquiry, one, [...waiting, gate])).find(Boolean)
  })
  return each.every(Boolean) ? each[0] : undefined
}

const triggersOf = ({ dependencies }: AnalysisContext, step: Transition): readonly AgentAction[] =>
  dependencies.triggersOf([step])

function isReclosedByWork({ dependencies, mayMust }: AnalysisContext, gate: Gate, opening: Transition): boolean {
  const closing = gate.transitions.filter(one => one.to === 'closed')
  const opens = (deed: AgentAction): boolean => deed.events.some(event => mayTriggerTransition(opening, event, mayMust))
  return (
    closing.some(one => one.clock) ||
    dependencies.movers(gate, 'closed').some(deed => isWriteAction(deed) || opens(deed))
  )
}

/** A plain write by the main agent; its equivalence class may have another representative in `deeds`. */
function sampleWrites({ parser, profile }: AnalysisContext): readonly AgentAction[] {
  const short = { write: 'some.txt' }
  const before = parser.parseEvent(short)
  return before?.call
    ? [actionForCall({ shorthand: short, beforeEvent: before, isApproved: false, isAttested: false }, 'main', profile)]
    : []
}

const isWriteAction = ({ call }: AgentAction): boolean =>
  call?.beforeEvent.call?.acts.some(({ action }) => action === 'write') === true

const conjunctsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])
