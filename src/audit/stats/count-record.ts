import { type AuditRecord, isAgentRecord } from '../../store/index.ts'
import { addCount, type Counters, counterName } from './counters.ts'
import { bucketOf } from './histogram.ts'
import { DAY_HOURS, dayOf, hourOf } from './time.ts'

type RuleMatch = AuditRecord['matches'][number]

/** What came of a rule's match. */
export type MatchOutcome = 'decided' | 'overruled' | 'warned' | 'watched' | 'bypassed'

/** The strongest effect of a gate's matches on an event, strongest first. */
export const GATE_EFFECTS = ['deny', 'ask', 'bypassed', 'would deny', 'would ask', 'allow', 'warn', 'none'] as const
export type GateEffect = (typeof GATE_EFFECTS)[number]

/** The counters of one record. Pure and depends only on the record, so a rebuild counts the same. */
export function countRecord(record: AuditRecord): Counters {
  const counts: Counters = new Map()
  if (!isAgentRecord(record)) return counts
  const { at, event, decision, ms, matches, errors, reason = '', gate = '', rule = '' } = record
  const bucket = typeof ms === 'number' ? String(bucketOf(ms)) : undefined
  addCount(counts, counterName('event', event, decision))
  if (event === 'tool.before') {
    const hour = String(hourOf(at) - dayOf(hourOf(at)) * DAY_HOURS)
    addCount(counts, counterName('at', hour, 'calls'))
    if (decision === 'deny') addCount(counts, counterName('at', hour, 'denied'))
  }
  addCount(counts, counterName('decided', decision === 'pass' ? '' : gate, decision))
  if (bucket !== undefined && ms !== undefined) {
    addCount(counts, counterName('ms', bucket))
    addCount(counts, 'us', Math.round(ms * 1000))
  }
  for (const name of bypassesIn(record)) addCount(counts, name)
  if (record.whitelisted) addCount(counts, 'whitelisted')
  if (errors.length > 0) addCount(counts, 'errors')
  for (const id of failingGatesOf(errors)) addCount(counts, counterName('gate failed', id))
  if (decision === 'deny' && reason !== '') {
    addCount(counts, 'chars', reason.length)
    addCount(counts, counterName('chars', gate, rule), reason.length)
  }
  for (const one of approvedRulesOf(record)) addCount(counts, counterName('rule approved', one.gate, one.rule))
  for (const [id, own] of groupMatches(matches, match => match.gate)) {
    addCount(counts, counterName('gate', id, gateEffectOf(own, record)))
    if (bucket !== undefined) addCount(counts, counterName('gate ms', id, bucket))
    for (const [name, [first]] of groupMatches(own, match => match.rule)) {
      if (first) addCount(counts, counterName('rule', id, name, first.decision, matchOutcomeOf(first, record)))
      if (bucket !== undefined) addCount(counts, counterName('rule ms', id, name, bucket))
    }
  }
  return counts
}

/** How the event got past a gate: by a bypass, or by approval with a token or variable. `bypassUsage` counts any of them. */
function bypassesIn({ matches, approvedBy = [] }: AuditRecord): readonly string[] {
  const found = [
    ...(matches.some(match => match.bypassed) ? ['bypassed'] : []),
    ...(approvedBy.includes('token') ? ['approvedByToken'] : []),
    ...(approvedBy.some(name => name !== 'token') ? ['approvedByVariable'] : []),
  ]
  return found.length > 0 ? [...found, 'bypassUsage'] : []
}

/** The rules that would have denied the event without an approval. The id of a rule has no space. */
export const approvedRulesOf = ({ approvedRules = [] }: AuditRecord): readonly Pick<RuleMatch, 'gate' | 'rule'>[] =>
  approvedRules.map(name => {
    const end = name.lastIndexOf(' ')
    return { gate: name.slice(0, end), rule: name.slice(end + 1) }
  })

/** Gates named in errors, which the engine writes as `gate project/tests: …`. */
const failingGatesOf = (errors: readonly string[]): ReadonlySet<string> =>
  new Set(errors.flatMap(text => /^gate (\S+): /.exec(text)?.[1] ?? []))

/** Groups matches, so that a rule matching several actions of a call counts once. */
function groupMatches(
  matches: readonly RuleMatch[],
  by: (match: RuleMatch) => string,
): ReadonlyMap<string, readonly RuleMatch[]> {
  const groups = new Map<string, RuleMatch[]>()
  for (const match of matches) {
    const group = groups.get(by(match))
    if (group) group.push(match)
    else groups.set(by(match), [match])
  }
  return groups
}

const DECISION_RANKS = ['pass', 'allow', 'ask', 'deny']
const isStricter = (one: string, other: string): boolean => DECISION_RANKS.indexOf(one) > DECISION_RANKS.indexOf(other)

function gateEffectOf(matches: readonly RuleMatch[], record: AuditRecord): GateEffect {
  const effects = matches.map(match => matchEffectOf(match, record))
  return GATE_EFFECTS.find(effect => effects.includes(effect)) ?? 'none'
}

function matchEffectOf({ decision: wanted, effect, mode, bypassed }: RuleMatch, { decision }: AuditRecord): GateEffect {
  if (bypassed) return 'bypassed'
  const isRefusal = wanted === 'deny' || wanted === 'ask'
  if (mode !== 'block') {
    if (isRefusal && isStricter(wanted, decision)) return `would ${wanted}`
    return effect === 'warn' ? 'warn' : 'none'
  }
  if (effect === 'warn' || effect === 'none') return effect
  return effect === decision ? effect : 'none'
}

function matchOutcomeOf({ effect, mode, bypassed }: RuleMatch, { decision }: AuditRecord): MatchOutcome {
  if (bypassed) return 'bypassed'
  if (effect === 'warn') return 'warned'
  if (mode !== 'block') return 'watched'
  return effect === decision ? 'decided' : 'overruled'
}
