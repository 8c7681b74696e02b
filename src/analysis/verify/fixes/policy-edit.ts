import type { Gate, Program, Rule, Transition } from '../../../engine/index.ts'
import { type Condition, parseUrlTemplate } from '../../../engine/index.ts'
import { type Atom, atomsOf, rulesOf } from '../abstraction/condition-atoms.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { findMissingGuidance } from '../properties/missing-guidance.ts'
import { describeCall } from '../report/descriptions.ts'
import type { ExemptionEdit, Fix, PolicyEdit } from '../report/finding.ts'
import { createExemption } from './exemption.ts'
import { formatUnlessLine } from './unless-line.ts'

/** Applies the edit to the policy. */
export function applyEdit<P extends Program>(program: P, mend: PolicyEdit): P {
  const mendedGate = (gate: Gate): Gate => {
    if (gate.id !== mend.gate) return gate
    if ('opens' in mend) return { ...gate, opens: mend.opens }
    if ('takes' in mend) return { ...gate, transitions: gate.transitions.map(acceptUnknownEnd) }
    const { rule, ...how } = mend
    if ('off' in how) return { ...gate, rules: gate.rules.filter(one => one.id !== rule) }
    const change = <R extends Rule>(one: R): R => (one.id === rule ? editRule(one, how) : one)
    const routes = gate.routes && { ...gate.routes, list: gate.routes.list.map(change) }
    return { ...gate, rules: gate.rules.map(change), ...(routes && { routes }) }
  }
  return { ...program, gates: program.gates.map(mendedGate) }
}

const acceptUnknownEnd = (step: Transition): Transition =>
  step.to === 'open' ? { ...step, when: addUnknownStatus(step.when) } : step

/** Also accepts an unknown status, for clients that do not report it. */
function addUnknownStatus(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(addUnknownStatus) }
  if ('any' in condition) return { any: condition.any.map(addUnknownStatus) }
  if ('not' in condition || condition.key !== 'succeeded') return condition
  return { ...condition, in: [...new Set([...condition.in, 'unknown' as const])] }
}

const editRule = <R extends Rule>(rule: R, how: { readonly unless: Condition } | { readonly limit: number }): R =>
  'limit' in how
    ? { ...rule, limit: how.limit }
    : { ...rule, unless: rule.unless ? { any: [rule.unless, how.unless] } : how.unless }

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

/** Exempts the opening action from the user's own rules. If only pack rules block it: another opening, or disabling the pack's rule. */
export function suggestFixes(inquiry: AnalysisContext, gate: Gate, obstacles: readonly BlockingRule[]): readonly Fix[] {
  const own = obstacles.filter(one => !isFromPack(one.at))
  if (own.length > 0)
    return own.slice(0, MAX_FIXES).map(one => (one.call ? suggestExemption(inquiry, one) : suggestLimit(one)))
  const packed = obstacles.filter(one => isFromPack(one.at))
  return [
    ...suggestAcceptingUnknown(inquiry, gate),
    suggestOtherOpening(inquiry, gate, packed),
    // a pack's rule is disabled only for a pack's gate; the user's own gates get another opening
    ...(isFromPack(gate.at) ? packed.flatMap(one => suggestDisablingRule(inquiry, one)) : []),
  ].slice(0, MAX_FIXES)
}

const MAX_FIXES = 3

export function suggestExemption(
  inquiry: AnalysisContext,
  { gate, rule, at, actor, call, callText }: BlockingRule,
  before = '',
): Fix {
  const exemption = call && createExemption(call, actor, inquiry.root)
  const within = inquiry.program.gates.find(one => one.id === gate)
  const found = within?.rules.find(one => one.id === rule)
  const said = `${before}let \`${callText}\` pass`
  const route = within?.routes?.list.find(one => one.id === rule)
  if (route) return { at, ...suggestRouteExemption(gate, route, call, said) }
  if (!exemption || !found) return { at, advice: `${said} (\`unless\`)` }
  const mend = { gate, rule, unless: exemption.when }
  const old = found.unless ? inquiry.writtenUnless(at, rule) : null
  // a second `unless` key is invalid YAML, and dropping the first would change what the rule refuses
  if (old === undefined)
    return { at, advice: `${said}: beside what it has, \`${formatUnlessLine([exemption.yaml])}\``, edit: mend }
  const passes = { callTexts: [callText], old, added: [exemption.yaml] }
  return { at, advice: `${before}${exemptionAdvice(passes)}`, edit: mend, exemption: passes }
}

/** Routes have no `unless`; an `allow: true` route before it lets the page pass. */
function suggestRouteExemption(
  gate: string,
  { id: rule }: Rule,
  call: SampleCall | undefined,
  said: string,
): Omit<Fix, 'at'> {
  const [url] = call?.beforeEvent.call?.acts.flatMap(act => act.url ?? []) ?? []
  const template = url === undefined ? undefined : parseUrlTemplate(url)
  if (url === undefined || !template) return { advice: `${said}: by a route before it with \`allow: true\`` }
  return {
    advice: `${said}: put \`${rule}-let: { url: ${JSON.stringify(url)}, allow: true }\` before it`,
    edit: { gate, rule, unless: { key: 'url', in: [{ template }] } },
  }
}

const exemptionAdvice = ({ callTexts, old, added }: ExemptionEdit): string =>
  `let ${callTexts.map(one => `\`${one}\``).join(' and ')} pass: \`${formatUnlessLine(added, old)}\``

/** Merges exemptions of one rule, because a rule has one `unless`. */
export function mergeRuleFixes(fixes: readonly Fix[]): readonly Fix[] {
  const made: Fix[] = []
  for (const fix of fixes) {
    const { exemption, at } = fix
    const nth = made.findIndex(
      one => exemption && one.exemption && one.at === at && editedRuleKey(one) === editedRuleKey(fix),
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
  const opening = gate.transitions.find(one => one.to === 'open' && atomsOf(one.when).some(isSuccessAtom))
  if (!opening?.at || isFromPack(opening.at) || !dependencies.findUnreportedOpener(gate)) return []
  const advice = 'accept unknown results: `succeeded: [true, unknown]`'
  return [{ at: opening.at, advice, edit: { gate: gate.id, takes: 'unknown' } }]
}

const isSuccessAtom = (atom: Atom): boolean => atom.key === 'succeeded'

/** If the gate becomes `opens: human`, its message has to say so to the agent. */
export const humanOpensAdvice = (gate: Gate): string =>
  `or say \`opens: human\`${findMissingGuidance({ ...gate, opens: 'human' }).length > 0 ? ', and in its message that the user opens it' : ''}`

function suggestOtherOpening({ program }: AnalysisContext, gate: Gate, packed: readonly BlockingRule[]): Fix {
  const opening = gate.transitions.find(one => one.to === 'open')
  const names = [...new Set(packed.map(one => program.gates.find(other => other.id === one.gate)?.name ?? one.gate))]
  const what =
    names.length > 0 ? `${names.join(' and ')} ${names.length > 1 ? 'let' : 'lets'} through` : 'an agent can do here'
  const mend = { gate: gate.id, opens: 'human' } as const
  if (isFromPack(gate.at))
    return { at: '', of: gate.id, advice: `\`adjust: { ${gate.name}: { mode: observe } }\`, or another pack` }
  const person = humanOpensAdvice(gate)
  const advice = opening
    ? `open it by something ${what}, ${person}`
    : `add a transition \`to: open\`: by something an agent does, or by a prompt ${person.replace('or say', 'with')}`
  return { at: opening?.at ?? gate.at ?? gate.id, advice, edit: mend }
}

/** Built-in gates cannot be disabled; the user's gate has to change instead. */
export function suggestDisablingRule({ program }: AnalysisContext, { gate, rule }: BlockingRule): readonly Fix[] {
  const found = program.gates.find(one => one.id === gate)
  if (!found || found.layer === 'built-in' || !rulesOf(found).some(one => one.id === rule)) return []
  const advice = `or switch off that rule of the pack: \`adjust: { ${found.name}: { off: ${rule} } }\``
  return [{ at: '', of: gate, advice, edit: { gate, rule, off: true } }]
}

/** Fixes for a refused suggestion: suggest something else, or exempt the suggested call. */
export function suggestSuggestionFixes(
  inquiry: AnalysisContext,
  gate: Gate,
  rule: Rule,
  obstacle: BlockingRule,
): readonly Fix[] {
  const at = rule.at ?? gate.at ?? gate.id
  const say: Fix = isFromPack(at)
    ? {
        at: '',
        of: gate.id,
        advice: `change the message: \`adjust: { ${gate.name}: { messages: { ${rule.id}: … } } }\``,
      }
    : { at, advice: 'suggest something that is allowed there' }
  return isFromPack(obstacle.at) ? [say] : [say, suggestExemption(inquiry, obstacle, 'or ')]
}

export const toBlockingRule = (
  call: SampleCall,
  by: string,
  refused: { readonly gate: string; readonly rule: string; readonly at: string },
): BlockingRule => ({ ...refused, actor: by, call, callText: describeCall(call) })
