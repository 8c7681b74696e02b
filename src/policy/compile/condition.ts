import { agentName } from '../../core/index.ts'
import {
  type Condition,
  type EventKind,
  type FieldPattern,
  isObject,
  LAYERS,
  type Since,
  type TextPattern,
} from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import type { ConditionDoc } from '../schema/condition.ts'
import { type Context, complain, complainOfKey, type Key, listOf } from './context.ts'
import { warnOfAgent } from './matcher-syntax.ts'
import { urls } from './url.ts'
import { commands, fields, items, paths, setName, texts, tools, variableNames } from './value.ts'
import { captureNames, findCapture, findGate, resolveValue } from './variables.ts'

/** The gate a condition belongs to. */
export interface Asker {
  readonly id: string
  readonly stateful: boolean
}

/** Keys are AND, lists are OR. */
export function compileCondition(context: Context, doc: ConditionDoc, asker: Asker): Condition {
  // options of a pack may put one long list into many places
  context.notes.limits?.spend(
    'values',
    Object.values(doc).reduce<number>((sum, one) => sum + sizeOf(one), 1),
  )
  const all = [...simple(context, doc), ...looked(context, doc, asker), ...nested(context, doc, asker)]
  const [only] = all
  return asWhole(all.length === 1 && only ? only : { all })
}

/** Commands whose success is asked for: with a word that makes one a smaller check it proves nothing that the pattern does not name. */
function asWhole(condition: Condition, isAsked = false): Condition {
  if ('any' in condition) return { any: condition.any.map(one => asWhole(one, isAsked)) }
  if ('all' in condition) {
    const asked = isAsked || condition.all.some(asksForSuccess)
    return { all: condition.all.map(one => asWhole(one, asked)) }
  }
  if (!isAsked || 'not' in condition || condition.key !== 'command') return condition
  return { ...condition, in: condition.in.map(one => ('program' in one ? { ...one, whole: true } : one)) }
}

function asksForSuccess(condition: Condition): boolean {
  if ('any' in condition) return condition.any.length > 0 && condition.any.every(asksForSuccess)
  if ('all' in condition) return condition.all.some(asksForSuccess)
  return 'key' in condition && condition.key === 'succeeded' && condition.in.some(one => one !== 'false')
}

const sizeOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.length
    : isObject(value)
      ? Object.values(value).reduce<number>((n, one) => n + sizeOf(one), 1)
      : 1

function simple(context: Context, doc: ConditionDoc): readonly Condition[] {
  const all: Condition[] = []
  if (doc.event !== undefined) all.push({ key: 'event', in: kindsOf(doc.event) })
  if (doc.caller !== undefined) all.push({ key: 'caller', in: callers(context, doc, doc.caller) })
  if (doc.tool !== undefined) all.push({ key: 'tool', in: tools(context, doc, 'tool', doc.tool) })
  if (doc.action !== undefined) all.push({ key: 'action', in: listOf(doc.action) })
  if (doc.command !== undefined) all.push({ key: 'command', in: commands(context, doc, 'command', doc.command) })
  if (doc.path !== undefined) all.push({ key: 'path', in: paths(context, doc, 'path', doc.path) })
  if (doc.url !== undefined) all.push({ key: 'url', in: urls(context, doc, 'url', doc.url) })
  if (doc.source !== undefined) all.push({ key: 'source', in: listOf(doc.source) })
  if (doc.succeeded !== undefined)
    all.push({
      key: 'succeeded',
      in: listOf(doc.succeeded).map(one => (one === 'unknown' ? one : one ? 'true' : 'false')),
    })
  if (doc.whitelisted !== undefined)
    all.push({ key: 'whitelisted', is: doc.whitelisted, layers: LAYERS.slice(LAYERS.indexOf(context.unit.layer)) })
  if (doc.approved !== undefined) all.push({ key: 'approved', is: doc.approved })
  return all
}

/** What is compared with values, counters or other gates. */
function looked(context: Context, doc: ConditionDoc, asker: Asker): readonly Condition[] {
  const all: Condition[] = []
  if (doc.agent !== undefined) all.push({ key: 'agent', in: agents(context, doc, doc.agent, asker) })
  if (doc.prompt !== undefined)
    all.push({ key: 'prompt', in: texts(context, doc, 'prompt', doc.prompt, asker.id, 'contains').map(anywhere) })
  if (doc.input !== undefined) all.push({ key: 'input', fields: fields(context, doc.input, asker.id) })
  if (doc.env !== undefined) all.push(variables(context, doc, 'env', asker))
  if (doc.assigns !== undefined) all.push(variables(context, doc, 'assigns', asker))
  if (doc.gate !== undefined) all.push(gates(context, doc.gate))
  if (doc.captured !== undefined) all.push({ key: 'captured', fields: captures(context, doc.captured, asker) })
  if (doc.since !== undefined) all.push({ key: 'since', counters: counters(context, doc, doc.since, asker) })
  return all
}

function nested(context: Context, doc: ConditionDoc, asker: Asker): readonly Condition[] {
  const all: Condition[] = []
  if (doc.not !== undefined) all.push({ not: compileCondition(context, doc.not, asker) })
  if (doc.any !== undefined) all.push({ any: doc.any.map(one => compileCondition(context, one, asker)) })
  if (doc.all !== undefined) all.push(...doc.all.map(one => compileCondition(context, one, asker)))
  return all
}

/** In a policy `tool.after` is every finished call, however it ended. */
export const kindsOf = (event: EventKind | readonly EventKind[]): readonly EventKind[] => [
  ...new Set(
    listOf(event).flatMap((kind): EventKind[] => (kind === 'tool.after' ? ['tool.after', 'tool.failed'] : [kind])),
  ),
]

const anywhere = (pattern: TextPattern): TextPattern => ('is' in pattern ? { has: pattern.is } : pattern)

function callers(context: Context, doc: ConditionDoc, value: string | readonly string[]): readonly string[] {
  return [...items(doc, 'caller', value)].map(([item, inner, key]) => {
    warnOfAgent(context, inner, key, item, 'caller')
    return refuseSet(context, inner, key, agentName(item))
  })
}

function agents(
  context: Context,
  doc: ConditionDoc,
  value: string | readonly string[],
  asker: Asker,
): readonly string[] {
  return [...items(doc, 'agent', value)].map(([item, inner, key]) => {
    if (item.includes('{')) return resolveValue(context, inner, key, item, asker.id)
    warnOfAgent(context, inner, key, item, 'agent')
    return refuseSet(context, inner, key, agentName(item))
  })
}

function refuseSet(context: Context, holder: object, key: Key, value: string): string {
  const set = setName(value)
  if (set !== undefined) complain(context, holder, key, `unknown set \`$${set}\``)
  return value
}

const ANY_VALUE: readonly TextPattern[] = [{ has: '' }]

/** A mapping asks for values; names alone ask whether one of them is set at all. */
function variables(context: Context, doc: ConditionDoc, key: 'env' | 'assigns', asker: Asker): Condition {
  const value = doc[key] ?? []
  if (typeof value === 'string' || Array.isArray(value)) {
    const names = variableNames(context, doc, key, value)
    if (key === 'env') for (const name of names) context.notes.env.add(name)
    // no gate has a bypass: nothing is set, which is no mistake
    if (names.length === 0) return { key, fields: [{ field: '', in: [] }] }
    return { any: names.map(field => ({ key, fields: [{ field, in: ANY_VALUE }] })) }
  }
  if (key === 'env') for (const name of Object.keys(value)) context.notes.env.add(name)
  return { key, fields: fields(context, value, asker.id) }
}

function gates(context: Context, doc: NonNullable<ConditionDoc['gate']>): Condition {
  const states = Object.entries(doc).flatMap(([name, state]) => {
    const found = findGate(context, name)
    if (found?.stateful) return [{ gate: found.id, state: listOf(state) }]
    const message = found
      ? `gate \`${name}\` is never open or closed: it has no \`initial\``
      : `unknown gate \`${name}\``
    complainOfKey(
      context,
      doc,
      name,
      message,
      found
        ? {}
        : {
            help: didYouMean(
              name,
              context.names.map(gate => gate.name),
            ),
          },
    )
    return []
  })
  return { key: 'gate', states }
}

function captures(context: Context, doc: NonNullable<ConditionDoc['captured']>, asker: Asker): readonly FieldPattern[] {
  return Object.entries(doc).flatMap(([written, value]) => {
    const field = findCapture(context, written, asker.id)
    if (field === undefined) {
      complainOfKey(context, doc, written, `nothing is captured as \`${written}\``, {
        help: didYouMean(written, captureNames(context)),
      })
      return []
    }
    return [{ field, in: texts(context, doc, written, value, asker.id) }]
  })
}

const MARKS = ['opened', 'closed', 'changed'] as const
const UNITS = ['turns', 'seconds', 'operations'] as const

function counters(
  context: Context,
  doc: ConditionDoc,
  since: NonNullable<ConditionDoc['since']>,
  asker: Asker,
): readonly Since[] {
  if (!asker.stateful)
    complainOfKey(context, doc, 'since', '`since` needs a gate with `initial`: this one keeps no state')
  return MARKS.flatMap(mark =>
    UNITS.flatMap(unit => {
      const atLeast = since[mark]?.[unit]
      return atLeast === undefined ? [] : [{ mark, unit, atLeast }]
    }),
  )
}
