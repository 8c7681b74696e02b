import type { Gate, Program, Rule, Transition } from '../core/index.ts'
import { type Condition, parseUrlTemplate } from '../pattern/index.ts'
import { type Atom, atomsOf, rulesOf } from './atom.ts'
import type { Call } from './call.ts'
import { exemptionFor } from './exemption.ts'
import type { Fix, Passes } from './finding.ts'
import type { Inquiry } from './inquiry.ts'
import { unlessLine } from './unless-line.ts'
import { unsaid } from './unsaid.ts'
import { callWords } from './words.ts'

/** What a piece of advice does to a policy: it can be tried out. */
export type Mend =
  | { readonly gate: string; readonly rule: string; readonly unless: Condition }
  | { readonly gate: string; readonly rule: string; readonly limit: number }
  | { readonly gate: string; readonly rule: string; readonly off: true }
  | { readonly gate: string; readonly opens: 'human' }
  | { readonly gate: string; readonly takes: 'unknown' }

/** The policy with it. */
export function withMend<P extends Program>(program: P, mend: Mend): P {
  const mendedGate = (gate: Gate): Gate => {
    if (gate.id !== mend.gate) return gate
    if ('opens' in mend) return { ...gate, opens: mend.opens }
    if ('takes' in mend) return { ...gate, transitions: gate.transitions.map(takingUnknown) }
    const { rule, ...how } = mend
    if ('off' in how) return { ...gate, rules: gate.rules.filter(one => one.id !== rule) }
    const change = <R extends Rule>(one: R): R => (one.id === rule ? mended(one, how) : one)
    const routes = gate.routes && { ...gate.routes, list: gate.routes.list.map(change) }
    return { ...gate, rules: gate.rules.map(change), ...(routes && { routes }) }
  }
  return { ...program, gates: program.gates.map(mendedGate) }
}

const takingUnknown = (step: Transition): Transition =>
  step.to === 'open' ? { ...step, when: withUnknown(step.when) } : step

/** Where nobody says how a call ended, that it ended is enough. */
function withUnknown(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(withUnknown) }
  if ('any' in condition) return { any: condition.any.map(withUnknown) }
  if ('not' in condition || condition.key !== 'succeeded') return condition
  return { ...condition, in: [...new Set([...condition.in, 'unknown' as const])] }
}

const mended = <R extends Rule>(rule: R, how: { readonly unless: Condition } | { readonly limit: number }): R =>
  'limit' in how
    ? { ...rule, limit: how.limit }
    : { ...rule, unless: rule.unless ? { any: [rule.unless, how.unless] } : how.unless }

/** A rule that is in the way of a call, or of somebody's end. */
export interface Obstacle {
  readonly gate: string
  readonly rule: string
  readonly at: string
  readonly by: string
  readonly call?: Call | undefined
  readonly words: string
}

/** A pack that comes with Signalbox is no file of the reader's. */
const PACK = /^packs\/[\w-]+\/pack\.yaml(:\d+)?$/
export const isPacked = (at: string | undefined): boolean => at !== undefined && PACK.test(at)

/** To let what opens the gate pass, where that is up to the reader's own rules; else to open it otherwise, or to do without the rule of the pack. */
export function mendsOf(inquiry: Inquiry, gate: Gate, obstacles: readonly Obstacle[]): readonly Fix[] {
  const own = obstacles.filter(one => !isPacked(one.at))
  if (own.length > 0) return own.slice(0, MOST).map(one => (one.call ? letPass(inquiry, one) : letEnd(one)))
  const packed = obstacles.filter(one => isPacked(one.at))
  return [
    ...takeUnknown(inquiry, gate),
    openOtherwise(inquiry, gate, packed),
    // a rule of a pack is done without only where the gate is a pack's as well: one's own is opened by something else
    ...(isPacked(gate.at) ? packed.flatMap(one => switchOff(inquiry, one)) : []),
  ].slice(0, MOST)
}

const MOST = 3

export function letPass(inquiry: Inquiry, { gate, rule, at, by, call, words }: Obstacle, before = ''): Fix {
  const exemption = call && exemptionFor(call, by, inquiry.root)
  const within = inquiry.program.gates.find(one => one.id === gate)
  const found = within?.rules.find(one => one.id === rule)
  const said = `${before}let \`${words}\` pass`
  const route = within?.routes?.list.find(one => one.id === rule)
  if (route) return { at, ...around(gate, route, call, said) }
  if (!exemption || !found) return { at, advice: `${said} (\`unless\`)` }
  const mend = { gate, rule, unless: exemption.when }
  const old = found.unless ? inquiry.written(at, rule) : null
  // a second `unless` would be no YAML, and without the first something else is refused
  if (old === undefined)
    return { at, advice: `${said}: beside what it has, \`${unlessLine([exemption.written])}\``, mend }
  const passes = { words: [words], old, added: [exemption.written] }
  return { at, advice: `${before}${passWords(passes)}`, mend, passes }
}

/** A route has no `unless`: what comes before it in the table may let the page pass. */
function around(gate: string, { id: rule }: Rule, call: Call | undefined, said: string): Omit<Fix, 'at'> {
  const [url] = call?.before.call?.acts.flatMap(act => act.url ?? []) ?? []
  const template = url === undefined ? undefined : parseUrlTemplate(url)
  if (url === undefined || !template) return { advice: `${said}: by a route before it with \`allow: true\`` }
  return {
    advice: `${said}: put \`${rule}-let: { url: ${JSON.stringify(url)}, allow: true }\` before it`,
    mend: { gate, rule, unless: { key: 'url', in: [{ template }] } },
  }
}

const passWords = ({ words, old, added }: Passes): string =>
  `let ${words.map(one => `\`${one}\``).join(' and ')} pass: \`${unlessLine(added, old)}\``

/** Changes of one rule are one change: it has one `unless`. */
export function asOne(fixes: readonly Fix[]): readonly Fix[] {
  const made: Fix[] = []
  for (const fix of fixes) {
    const { passes, at } = fix
    const nth = made.findIndex(one => passes && one.passes && one.at === at && ruleOf(one) === ruleOf(fix))
    const before = made[nth]?.passes
    if (!passes || !before) made.push(fix)
    else {
      const both = {
        words: [...before.words, ...passes.words],
        old: before.old,
        added: [...before.added, ...passes.added],
      }
      made[nth] = { ...fix, advice: passWords(both), passes: both }
    }
  }
  return made
}

const ruleOf = ({ mend }: Fix): string => (mend && 'rule' in mend ? `${mend.gate}/${mend.rule}` : '')

export const letEnd = ({ gate, rule, at }: Pick<Obstacle, 'gate' | 'rule' | 'at'>): Fix => ({
  at,
  advice: 'let it end: `limit: 1`, or a way to open the gate',
  mend: { gate, rule, limit: 1 },
})

/** The success that would open it is one that an agent does not tell of. */
function takeUnknown({ field }: Inquiry, gate: Gate): readonly Fix[] {
  const opening = gate.transitions.find(one => one.to === 'open' && atomsOf(one.when).some(isSuccess))
  if (!opening?.at || isPacked(opening.at) || !field.untold(gate)) return []
  const advice = 'take the end of an agent that does not say how: `succeeded: [true, unknown]`'
  return [{ at: opening.at, advice, mend: { gate: gate.id, takes: 'unknown' } }]
}

const isSuccess = (atom: Atom): boolean => atom.key === 'succeeded'

/** What says that people open it says so to the agent as well. */
export const sayPerson = (gate: Gate): string =>
  `or say \`opens: human\`${unsaid({ ...gate, opens: 'human' }).length > 0 ? ', and in its message that the user opens it' : ''}`

function openOtherwise({ program }: Inquiry, gate: Gate, packed: readonly Obstacle[]): Fix {
  const opening = gate.transitions.find(one => one.to === 'open')
  const names = [...new Set(packed.map(one => program.gates.find(other => other.id === one.gate)?.name ?? one.gate))]
  const what =
    names.length > 0 ? `${names.join(' and ')} ${names.length > 1 ? 'let' : 'lets'} through` : 'an agent can do here'
  const mend = { gate: gate.id, opens: 'human' } as const
  if (isPacked(gate.at))
    return { at: '', of: gate.id, advice: `\`adjust: { ${gate.name}: { mode: observe } }\`, or another pack` }
  const person = sayPerson(gate)
  const advice = opening
    ? `open it by something ${what}, ${person}`
    : `add a transition \`to: open\`: by something an agent does, or by a prompt ${person.replace('or say', 'with')}`
  return { at: opening?.at ?? gate.at ?? gate.id, advice, mend }
}

/** What guards Signalbox itself stays: whoever built a gate on it has to build it otherwise. */
export function switchOff({ program }: Inquiry, { gate, rule }: Obstacle): readonly Fix[] {
  const found = program.gates.find(one => one.id === gate)
  if (!found || found.layer === 'built-in' || !rulesOf(found).some(one => one.id === rule)) return []
  const advice = `or do without that rule of the pack: \`adjust: { ${found.name}: { off: ${rule} } }\``
  return [{ at: '', of: gate, advice, mend: { gate, rule, off: true } }]
}

/** What a message suggests: say something else, or let it pass. */
export function suggestOtherwise(inquiry: Inquiry, gate: Gate, rule: Rule, obstacle: Obstacle): readonly Fix[] {
  const at = rule.at ?? gate.at ?? gate.id
  const say: Fix = isPacked(at)
    ? {
        at: '',
        of: gate.id,
        advice: `say something else: \`adjust: { ${gate.name}: { messages: { ${rule.id}: … } } }\``,
      }
    : { at, advice: 'suggest something that is let through there' }
  return isPacked(obstacle.at) ? [say] : [say, letPass(inquiry, obstacle, 'or ')]
}

export const obstacleOf = (
  call: Call,
  by: string,
  refused: { readonly gate: string; readonly rule: string; readonly at: string },
): Obstacle => ({ ...refused, by, call, words: callWords(call) })
