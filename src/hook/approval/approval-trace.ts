import {
  callerKey,
  type EvaluationInput,
  type EvaluationResult,
  type EvaluationTools,
  evaluate,
  isFactField,
  leavesOf,
  NO_CONFLICTS,
  type Program,
} from '../../engine/index.ts'
import type { AuditRecord } from '../../store/index.ts'
import { noticeAudience } from '../notices/notices.ts'

/** Name of an approval by `signalbox orchestrate` in audit records; a variable is named `env NAME`. */
const TOKEN = 'token'

/** Each variable takes two more evaluations, and a project's policy may use any number of variables. */
const MOST_TRIED = 8

type Match = AuditRecord['matches'][number]

/**
 * For an event that was not denied. If only an approval or an environment variable kept it from being denied, the record names that approval
 * or variable and the rule, and the person is notified.
 */
export function withApprovalTrace(
  result: EvaluationResult,
  input: EvaluationInput,
  tools: EvaluationTools,
): EvaluationResult {
  const present = approvalsIn(input)
  if (present.length === 0) return result
  const known = new Set(result.record.matches.map(keyOf))
  const refusedWith = (variables: readonly string[]): readonly Match[] =>
    evaluate(without(input, present, variables), {
      ...tools,
      codeGates: {},
      conflicts: () => NO_CONFLICTS,
    }).record.matches.filter(match => (match.effect === 'deny' || match.effect === 'ask') && !known.has(keyOf(match)))
  const refusals = refusedWith([])
  if (refusals.length === 0) return result
  // used if it lifts a denial, alone or together with others; with very many, each may have been used
  const used = present.filter(
    name =>
      present.length > MOST_TRIED ||
      refusedWith([name]).length < refusals.length ||
      refusedWith(present.filter(other => other !== name)).length > 0,
  )
  return traced(result, input, refusals, used.length > 0 ? used : present)
}

const keyOf = ({ gate, rule }: Match): string => `${gate} ${rule}`

/** The approvals and variables of the event that rules of this program depend on. */
function approvalsIn({ program, facts }: EvaluationInput): readonly string[] {
  const { env, hasToken } = approvalSourcesOf(program)
  const set = env.filter(name => facts.env[name] !== undefined && !isFactField(name)).map(name => `env ${name}`)
  return facts.approved && hasToken ? [TOKEN, ...set] : set
}

/** The same event without its approvals, except `kept`. Code gates are left out: their verdict does not depend on approvals. */
function without(input: EvaluationInput, present: readonly string[], remaining: readonly string[]): EvaluationInput {
  const gone = present.filter(name => !remaining.includes(name))
  const env = Object.fromEntries(Object.entries(input.facts.env).filter(([name]) => !gone.includes(`env ${name}`)))
  const { approved, ...facts } = input.facts
  const program = { ...input.program, gates: input.program.gates.filter(gate => gate.code === undefined) }
  return { ...input, program, facts: { ...facts, env, ...(approved && !gone.includes(TOKEN) && { approved }) } }
}

function traced(
  result: EvaluationResult,
  input: EvaluationInput,
  refusals: readonly Match[],
  approvedBy: readonly string[],
): EvaluationResult {
  const gates = [...new Set(refusals.map(({ gate }) => gate))]
  const approvedRules = [...new Set(refusals.map(keyOf))]
  const notes = [...result.record.notes, `approved by ${approvedBy.join(', ')}: ${approvedRules.join(', ')}`]
  const record: AuditRecord = { ...result.record, notes, approvedBy, approvedRules }
  const text = `signalbox: ${gates.map(id => `"${nameIn(input.program, id)}"`).join(', ')} allowed this call: ${words(approvedBy)}`
  return notified({ ...result, record }, input, text, approvedBy.includes(TOKEN))
}

const nameIn = ({ gates }: Program, id: string): string => gates.find(gate => gate.id === id)?.name ?? id

const words = (approvedBy: readonly string[]): string =>
  approvedBy
    .map(name => (name === TOKEN ? 'an orchestrated task is approved' : `${name.replace('env ', '')} is set`))
    .join(', ')

/** A variable is reported at each use, an approval once per session: the person started its task. If this event can show no text, it is queued. */
function notified(
  result: EvaluationResult,
  { event, capabilities }: EvaluationInput,
  text: string,
  once: boolean,
): EvaluationResult {
  const { outcome, session } = result
  if (once && session.notified?.includes(text)) return result
  const announced = once ? { notified: [...(session.notified ?? []), text].slice(-32) } : {}
  const audience = noticeAudience(event.kind, capabilities)
  const next = { ...session, ...announced }
  if (audience === 'person')
    return { ...result, session: next, outcome: { ...outcome, message: lines(outcome.message, text) } }
  if (audience === 'agent')
    return { ...result, session: next, outcome: { ...outcome, context: lines(outcome.context, text) } }
  const isMute = !Object.values(capabilities.events).some(capability => capability?.message)
  const queued = { to: callerKey(event.caller), for: isMute ? ('agent' as const) : ('person' as const), text }
  const waiting = session.queue.filter(queuedText => queuedText.text !== text)
  return { ...result, session: { ...next, queue: [...waiting, queued].slice(-32) } }
}

const lines = (...texts: readonly string[]): string => texts.filter(Boolean).join('\n')

interface ApprovalSources {
  readonly env: readonly string[]
  readonly hasToken: boolean
}

/** The variables and approvals in conditions of rules and routes. Cached, since the daemon uses the same program for many events. */
function approvalSourcesOf(program: Program): ApprovalSources {
  const known = cache.get(program)
  if (known) return known
  const rules = program.gates.flatMap(({ rules, routes }) => [...rules, ...(routes?.list ?? [])])
  const parts = rules.flatMap(({ when, unless }) => [...leavesOf(when), ...(unless ? leavesOf(unless) : [])])
  const env = parts.flatMap(part => (part.key === 'env' ? part.fields.map(({ field }) => field) : []))
  const found = { env: [...new Set(env)], hasToken: parts.some(part => part.key === 'approved') }
  cache.set(program, found)
  return found
}
const cache = new WeakMap<Program, ApprovalSources>()
