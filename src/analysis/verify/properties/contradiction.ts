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
  const lacking = conjunctsOf(when).find(one => {
    const part = 'key' in one ? PART_OF_KEY[one.key] : undefined
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
  const parts = conjunctsOf(when).flatMap(one => ('key' in one ? [one] : []))
  if (!parts.some(({ key }) => key === 'command')) return undefined
  for (const one of parts) {
    if (one.key === 'path')
      return 'an action with a `command` has no `path`: what it does to a file is a separate action'
    if (one.key === 'url') return 'an action with a `command` has no `url`: fetching a page is a separate action'
    if (one.key === 'action' && !one.in.includes('run'))
      return `an action with a \`command\` is \`run\`: \`${one.in.join(', ')}\` is a separate action`
  }
  return undefined
}

/** The tool, if the condition requires a command and a tool that is known to run none. */
function nonShellTool(when: Condition): string | undefined {
  const parts = conjunctsOf(when)
  if (!parts.some(one => 'key' in one && one.key === 'command')) return undefined
  const isOther = (name: string): boolean => canonicalTools.actions.has(name.toLowerCase()) && !isShell(name)
  for (const one of parts) if ('key' in one && one.key === 'tool' && one.in.every(isOther)) return one.in.join(', ')
  return undefined
}

/** Transitions whose condition requires an attribute that the event lacks, or something and its opposite. */
export const findImpossibleTransitions = (gate: Gate): readonly VerificationFinding[] =>
  gate.transitions.flatMap(step => {
    const { id, at, to, when, clock } = step
    if (clock) return []
    const why =
      missingEventPart(step, to === 'open') ??
      // a closing may be meant for the unknown case
      (isCommandWithoutRun(when) || (to === 'open' && hasOppositeConjuncts(when))
        ? 'its conditions contradict each other'
        : undefined)
    if (why === undefined) return []
    const what = `transition ${gate.name}/${id} can never match`
    const fix = [{ at: at ?? gate.at ?? gate.id, advice: 'change its condition, or remove it' }]
    return [{ kind: 'unreachable', what, on: [], gate: gate.id, story: [], why, fix }]
  })

/** Does the condition require something and its opposite, or a command without the action `run`? */
export const isContradictory = (condition: Condition): boolean =>
  hasOppositeConjuncts(condition) || isCommandWithoutRun(condition)

const conjunctsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

function hasOppositeConjuncts(condition: Condition): boolean {
  const parts = conjunctsOf(condition)
  const wanted = new Set(parts.filter(one => !('not' in one)).map(one => JSON.stringify(one)))
  return parts.some(one => 'not' in one && wanted.has(JSON.stringify(one.not)))
}

function isCommandWithoutRun(condition: Condition): boolean {
  const parts = conjunctsOf(condition)
  const isRun = (one: Condition): boolean => !('key' in one) || one.key !== 'action' || one.in.includes('run')
  return parts.some(one => 'key' in one && one.key === 'command') && !parts.every(isRun)
}
