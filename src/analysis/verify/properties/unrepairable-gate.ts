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
export function noteUnrepairableGate(context: AnalysisContext, gate: Gate): readonly string[] {
  if (gate.initial === undefined || gate.opens === 'human' || gate.mode !== 'block') return []
  const rule = refusingWrites(context, gate)
  const words = rule && requiredCommandOf(context, gate, [])
  if (!rule || words === undefined) return []
  const at = rule.at ?? gate.at ?? gate.id
  return [
    `${gate.name} refuses every write until \`${words}\` succeeds, and its success may need a write: deny the step after the change instead (\`command: git commit\`), or allow the needed writes (\`unless: { path: … }\`) (${at})`,
  ]
}

/** The rule that refuses writes, if the gate refuses all of them. */
function refusingWrites(context: AnalysisContext, gate: Gate): Rule | undefined {
  const [any] = sampleWrites(context)
  const rule = any && ruleRefusingUntilOpen(context, gate, any)
  return rule &&
    context.dependencies.actions.every(action => !isWriteAction(action) || ruleRefusingUntilOpen(context, gate, action))
    ? rule
    : undefined
}

/** The rule that refuses the action until the gate is open, without a limit. */
const ruleRefusingUntilOpen = (
  { mayMust, profile }: AnalysisContext,
  gate: Gate,
  action: AgentAction,
): Rule | undefined =>
  rulesOf(gate).find(
    rule =>
      rule.limit === undefined &&
      isRefusedUntilOpen(rule, gate, action, { mayMust, profile }) &&
      refusableEvents(action).some(event => mayRuleRefuse(rule, event, mayMust, profile, action.call?.isApproved)),
  )

/** The command that has to succeed before the gate opens. Undefined: something else opens it, or may open it. */
function requiredCommandOf(context: AnalysisContext, gate: Gate, waiting: readonly Gate[]): string | undefined {
  if (waiting.includes(gate) || gate.opens === 'human') return undefined
  const each = gate.transitions
    .filter(transition => transition.to === 'open')
    .map(
      transition =>
        successCommandOf(context, gate, transition) ?? requiredByBlockers(context, gate, transition, waiting),
    )
  return each.every(one => one !== undefined) ? each[0] : undefined
}

/** The command that has to succeed, if its failure or a write closes the gate again. */
function successCommandOf(context: AnalysisContext, gate: Gate, transition: Transition): string | undefined {
  const parts = conjunctsOf(transition.when)
  const isSuccess = parts.some(
    condition => 'key' in condition && condition.key === 'succeeded' && condition.in.every(is => is === 'true'),
  )
  const isOfFiles = parts.some(
    condition =>
      'key' in condition &&
      condition.key === 'command' &&
      condition.in.every(match => !('reading' in match) && match.program !== 'git'),
  )
  if (transition.clock || !isSuccess || !isOfFiles || !isReclosedByWork(context, gate, transition)) return undefined
  const action = triggersOf(context, transition).find(action => action.actor === 'main')
  return action && withoutRunPrefix(describeAction(action))
}

/** Every action that triggers the transition is blocked by another gate, which itself waits for such a command. */
function requiredByBlockers(
  context: AnalysisContext,
  gate: Gate,
  transition: Transition,
  waiting: readonly Gate[],
): string | undefined {
  const causes = triggersOf(context, transition).filter(action => action.actor === 'main')
  const each = causes.map(action => {
    const others = context.dependencies
      .refusers(action)
      .filter(other => other !== gate && ruleRefusingUntilOpen(context, other, action))
    return others.map(other => requiredCommandOf(context, other, [...waiting, gate])).find(Boolean)
  })
  return each.every(Boolean) ? each[0] : undefined
}

const triggersOf = ({ dependencies }: AnalysisContext, transition: Transition): readonly AgentAction[] =>
  dependencies.triggersOf([transition])

function isReclosedByWork({ dependencies, mayMust }: AnalysisContext, gate: Gate, opening: Transition): boolean {
  const closing = gate.transitions.filter(transition => transition.to === 'closed')
  const opens = (action: AgentAction): boolean =>
    action.events.some(event => mayTriggerTransition(opening, event, mayMust))
  return (
    closing.some(transition => transition.clock) ||
    dependencies.movers(gate, 'closed').some(action => isWriteAction(action) || opens(action))
  )
}

/** A plain write by the main agent; its equivalence class may have another representative in the dependency graph. */
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
