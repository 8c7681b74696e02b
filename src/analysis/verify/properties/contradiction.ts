import type { Gate, Rule } from '../../../engine/index.ts'
import { type Condition, canonicalTools, type EventKind, isShell } from '../../../engine/index.ts'
import type { Atom } from '../abstraction/condition-atoms.ts'
import type { VerificationFinding } from '../report/finding.ts'

/** Event kinds that contain a call, the end of a call, or a prompt. */
const EVENTS_WITH_PART: Readonly<Record<'call' | 'end' | 'prompt', readonly EventKind[]>> = {
  call: ['tool.before', 'permission.request', 'tool.after', 'tool.failed'],
  end: ['tool.after', 'tool.failed'],
  prompt: ['prompt.submit', 'agent.start', 'session.start'],
}
const PART_OF_KEY: Readonly<Partial<Record<Atom['key'], keyof typeof EVENTS_WITH_PART>>> = {
  ...{ tool: 'call', command: 'call', path: 'call', url: 'call', action: 'call' },
  succeeded: 'end',
  prompt: 'prompt',
}

/** Describes a required attribute that none of the events has. */
function missingEventPart({ when, events }: Pick<Rule, 'when' | 'events'>, isSure: boolean): string | undefined {
  const lacking = conjunctsOf(when).find(condition => {
    const part = 'key' in condition ? PART_OF_KEY[condition.key] : undefined
    // the status of an opaque line is unknown even before it begins
    return (
      part !== undefined && (isSure || part !== 'end') && !events.some(kind => EVENTS_WITH_PART[part].includes(kind))
    )
  })
  if (!lacking || !('key' in lacking)) return undefined
  return `${events.map(kind => `\`${kind}\``).join(', ')} ${events.length > 1 ? 'have' : 'has'} no \`${lacking.key}\``
}

/** A rule that denies or asks when its condition is unknown may be meant for just that case. */
export const isLenientWhenUnknown = ({ unsure }: Rule): boolean => unsure === 'warn' || unsure === 'pass'

/** Explains why a rule can never fire, on any client. */
export function explainContradiction(rule: Rule): string | undefined {
  const lack = missingEventPart(rule, isLenientWhenUnknown(rule))
  if (lack !== undefined) return lack
  const apart = isLenientWhenUnknown(rule) ? separateActionsConflict(rule.when) : undefined
  if (apart !== undefined) return apart
  const tool = nonShellTool(rule.when)
  return tool === undefined ? undefined : `\`${tool}\` runs no command`
}

/** File and page accesses of a command are separate actions, and a single action has to satisfy the whole condition. */
function separateActionsConflict(when: Condition): string | undefined {
  const parts = conjunctsOf(when).flatMap(condition => ('key' in condition ? [condition] : []))
  if (!parts.some(isOfRun)) return undefined
  for (const part of parts) {
    if (part.key === 'path')
      return 'an action with a `command` has no `path`: what it does to a file is a separate action'
    if (part.key === 'url') return 'an action with a `command` has no `url`: fetching a page is a separate action'
    if (part.key === 'action' && !part.in.includes('run'))
      return `an action with a \`command\` is \`run\`: \`${part.in.join(', ')}\` is a separate action`
  }
  return undefined
}

/** The tool, if the condition requires a command and a tool that is known to run none. */
function nonShellTool(when: Condition): string | undefined {
  const parts = conjunctsOf(when)
  if (!parts.some(condition => 'key' in condition && condition.key === 'command')) return undefined
  const isOther = (name: string): boolean => canonicalTools.actions.has(name.toLowerCase()) && !isShell(name)
  for (const condition of parts)
    if ('key' in condition && condition.key === 'tool' && condition.in.every(isOther)) return condition.in.join(', ')
  return undefined
}

/** Transitions whose condition requires an attribute that the event lacks, or something and its opposite. */
export const findImpossibleTransitions = (gate: Gate): readonly VerificationFinding[] =>
  gate.transitions.flatMap(transition => {
    const { id, at, to, when, clock } = transition
    if (clock) return []
    const why =
      missingEventPart(transition, to === 'open') ??
      // a closing may be meant for the unknown case
      (isCommandWithoutRun(when) || (to === 'open' && hasOppositeConjuncts(when))
        ? 'its conditions contradict each other'
        : undefined)
    if (why === undefined) return []
    const what = `transition ${gate.name}/${id} can never match`
    const fix = [{ at: at ?? gate.at ?? gate.id, advice: 'change its condition, or remove it' }]
    return [{ kind: 'unreachable', what, clients: [], gate: gate.id, counterexample: [], why, fix }]
  })

/** Does the condition require something and its opposite, or a command without the action `run`? */
export const isContradictory = (condition: Condition): boolean =>
  hasOppositeConjuncts(condition) || isCommandWithoutRun(condition)

const conjunctsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

function hasOppositeConjuncts(condition: Condition): boolean {
  const parts = conjunctsOf(condition)
  const wanted = new Set(parts.filter(condition => !('not' in condition)).map(condition => JSON.stringify(condition)))
  return parts.some(condition => 'not' in condition && wanted.has(JSON.stringify(condition.not)))
}

/** Is it about a command, and not about what a command does? */
const isOfRun = (condition: Condition): boolean =>
  'key' in condition && (condition.key === 'command' || condition.key === 'words') && !condition.maker

function isCommandWithoutRun(condition: Condition): boolean {
  const parts = conjunctsOf(condition)
  const isRun = (condition: Condition): boolean =>
    !('key' in condition) || condition.key !== 'action' || condition.in.includes('run')
  return parts.some(isOfRun) && !parts.every(isRun)
}
