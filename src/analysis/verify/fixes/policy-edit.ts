import type { Gate, Program, Rule, Transition } from '../../../engine/index.ts'
import { type Condition, parseUrlTemplate } from '../../../engine/index.ts'
import { type Atom, atomsOf } from '../abstraction/condition-atoms.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { findMissingHumanMention } from '../properties/missing-guidance.ts'
import { describeCall } from '../report/descriptions.ts'
import type { ExemptionEdit, Fix, PolicyEdit } from '../report/finding.ts'
import { createExemption } from './exemption.ts'
import { formatUnlessLine } from './unless-line.ts'

/** Applies the edit to the policy. */
export function applyEdit<P extends Program>(program: P, edit: PolicyEdit): P {
  const editGate = (gate: Gate): Gate => {
    if (gate.id !== edit.gate) return gate
    if ('opens' in edit) return { ...gate, opens: edit.opens }
    if ('acceptsStatus' in edit) return { ...gate, transitions: gate.transitions.map(acceptUnknownEnd) }
    const { rule, ...how } = edit
    const editIfMeant = <R extends Rule>(one: R): R => (one.id === rule ? editRule(one, how) : one)
    const routes = gate.routes && { ...gate.routes, list: gate.routes.list.map(editIfMeant) }
    return { ...gate, rules: gate.rules.map(editIfMeant), ...(routes && { routes }) }
  }
  return { ...program, gates: program.gates.map(editGate) }
}

const acceptUnknownEnd = (transition: Transition): Transition =>
  transition.to === 'open' ? { ...transition, when: addUnknownStatus(transition.when) } : transition

/** Also accepts an unknown status, for clients that do not report it. */
function addUnknownStatus(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(addUnknownStatus) }
  if ('any' in condition) return { any: condition.any.map(addUnknownStatus) }
  if (!('key' in condition) || condition.key !== 'succeeded') return condition
  return { ...condition, in: [...new Set([...condition.in, 'unknown' as const])] }
}

const editRule = <R extends Rule>(rule: R, change: { readonly unless: Condition } | { readonly limit: number }): R =>
  'limit' in change
    ? { ...rule, limit: change.limit }
    : { ...rule, unless: rule.unless ? { any: [rule.unless, change.unless] } : change.unless }

/** A rule that blocks a call, or the end of a turn or an agent. */
export interface BlockingRule {
  readonly gate: string
  readonly rule: string
  readonly at: string
  readonly actor: string
  readonly call?: SampleCall | undefined
  readonly callText: string
}

/** Packs that come with Signalbox are not files that the user can edit. */
const PACK_FILE = /^packs\/[\w-]+\/pack\.yaml(:\d+)?$/
export const isFromPack = (at: string | undefined): boolean => at !== undefined && PACK_FILE.test(at)

/** Exempts the opening action from the user's own rules. If only pack rules block it: another opening. */
export function suggestFixes(context: AnalysisContext, gate: Gate, blockers: readonly BlockingRule[]): readonly Fix[] {
  const own = blockers.filter(blocker => !isFromPack(blocker.at))
  if (own.length > 0)
    return own
      .slice(0, MAX_FIXES)
      .map(blocker => (blocker.call ? suggestExemption(context, blocker) : suggestLimit(blocker)))
  const fromPacks = blockers.filter(blocker => isFromPack(blocker.at))
  return [...suggestAcceptingUnknown(context, gate), suggestOtherOpening(context, gate, fromPacks)]
}

const MAX_FIXES = 3

export function suggestExemption(
  context: AnalysisContext,
  { gate, rule, at, actor, call, callText }: BlockingRule,
  before = '',
): Fix {
  const exemption = call && createExemption(call, actor, context.root)
  const within = context.program.gates.find(other => other.id === gate)
  const found = within?.rules.find(other => other.id === rule)
  const advice = `${before}let \`${callText}\` pass`
  const route = within?.routes?.list.find(other => other.id === rule)
  if (route) return { at, ...suggestRouteExemption(gate, route, call, advice) }
  if (!exemption || !found) return { at, advice: `${advice} (\`unless\`)` }
  const edit = { gate, rule, unless: exemption.when }
  const old = found.unless ? context.writtenUnless(at, rule) : null
  // a second `unless` key is invalid YAML, and dropping the first would change what the rule refuses
  if (old === undefined)
    return {
      at,
      advice: `${advice}: in addition to its own exemptions, \`${formatUnlessLine([exemption.yaml])}\``,
      edit,
    }
  const passes = { callTexts: [callText], old, added: [exemption.yaml] }
  return { at, advice: `${before}${exemptionAdvice(passes)}`, edit, exemption: passes }
}

/** Routes have no `unless`; an `allow: true` route before it lets the page pass. */
function suggestRouteExemption(
  gate: string,
  { id: rule }: Rule,
  call: SampleCall | undefined,
  advice: string,
): Omit<Fix, 'at'> {
  const [url] = call?.beforeEvent.call?.acts.flatMap(act => act.url ?? []) ?? []
  const template = url === undefined ? undefined : parseUrlTemplate(url)
  if (url === undefined || !template) return { advice: `${advice}: by a route before it with \`allow: true\`` }
  return {
    advice: `${advice}: put \`${rule}-let: { url: ${JSON.stringify(url)}, allow: true }\` before it`,
    edit: { gate, rule, unless: { key: 'url', in: [{ template }] } },
  }
}

const exemptionAdvice = ({ callTexts, old, added }: ExemptionEdit): string =>
  `let ${callTexts.map(callText => `\`${callText}\``).join(' and ')} pass: \`${formatUnlessLine(added, old)}\``

/** Merges exemptions of one rule, because a rule has one `unless`. */
export function mergeRuleFixes(fixes: readonly Fix[]): readonly Fix[] {
  const made: Fix[] = []
  for (const fix of fixes) {
    const { exemption, at } = fix
    const nth = made.findIndex(
      other => exemption && other.exemption && other.at === at && editedRuleKey(other) === editedRuleKey(fix),
    )
    const before = made[nth]?.exemption
    if (!exemption || !before) made.push(fix)
    else {
      const both = {
        callTexts: [...before.callTexts, ...exemption.callTexts],
        old: before.old,
        added: [...before.added, ...exemption.added],
      }
      made[nth] = { ...fix, advice: exemptionAdvice(both), exemption: both }
    }
  }
  return made
}

const editedRuleKey = ({ edit }: Fix): string => (edit && 'rule' in edit ? `${edit.gate}/${edit.rule}` : '')

export const suggestLimit = ({ gate, rule, at }: Pick<BlockingRule, 'gate' | 'rule' | 'at'>): Fix => ({
  at,
  advice: 'allow it to end: `limit: 1`, or a way to open the gate',
  edit: { gate, rule, limit: 1 },
})

/** The opening needs a success that a client does not report. */
function suggestAcceptingUnknown({ dependencies }: AnalysisContext, gate: Gate): readonly Fix[] {
  const opening = gate.transitions.find(
    transition => transition.to === 'open' && atomsOf(transition.when).some(isSuccessAtom),
  )
  if (!opening?.at || isFromPack(opening.at) || !dependencies.findUnreportedOpener(gate)) return []
  const advice = 'accept unknown results: `succeeded: [true, unknown]`'
  return [{ at: opening.at, advice, edit: { gate: gate.id, acceptsStatus: 'unknown' } }]
}

const isSuccessAtom = (atom: Atom): boolean => atom.key === 'succeeded'

/** If the gate becomes `opens: human`, its message has to say so to the agent. */
export const humanOpensAdvice = (gate: Gate): string =>
  `or say \`opens: human\`${findMissingHumanMention({ ...gate, opens: 'human' }).length > 0 ? ', and in its message that the user opens it' : ''}`

export function suggestOtherOpening({ program }: AnalysisContext, gate: Gate, fromPacks: readonly BlockingRule[]): Fix {
  const opening = gate.transitions.find(transition => transition.to === 'open')
  const names = [
    ...new Set(fromPacks.map(blocker => program.gates.find(other => other.id === blocker.gate)?.name ?? blocker.gate)),
  ]
  const what =
    names.length > 0 ? `${names.join(' and ')} ${names.length > 1 ? 'let' : 'lets'} through` : 'an agent can do here'
  const edit = { gate: gate.id, opens: 'human' } as const
  if (isFromPack(gate.at))
    return { at: '', of: gate.id, advice: `\`adjust: { ${gate.name}: { mode: observe } }\`, or another pack` }
  const humanAdvice = humanOpensAdvice(gate)
  const advice = opening
    ? `open it with something ${what}, ${humanAdvice}`
    : `add a transition \`to: open\` for something an agent does, or for a prompt ${humanAdvice.replace('or say', 'with')}`
  return { at: opening?.at ?? gate.at ?? gate.id, advice, edit }
}

/** Fixes for a refused suggestion: suggest something else, or exempt the suggested call. */
export function suggestSuggestionFixes(
  context: AnalysisContext,
  gate: Gate,
  rule: Rule,
  blocker: BlockingRule,
): readonly Fix[] {
  const at = rule.at ?? gate.at ?? gate.id
  const otherSuggestion: Fix = isFromPack(at)
    ? {
        at: '',
        of: gate.id,
        advice: `change the message: \`adjust: { ${gate.name}: { messages: { ${rule.id}: … } } }\``,
      }
    : { at, advice: 'suggest something that is allowed there' }
  return isFromPack(blocker.at) ? [otherSuggestion] : [otherSuggestion, suggestExemption(context, blocker, 'or ')]
}

export const toBlockingRule = (
  call: SampleCall,
  actor: string,
  refused: { readonly gate: string; readonly rule: string; readonly at: string },
): BlockingRule => ({ ...refused, actor, call, callText: describeCall(call) })
