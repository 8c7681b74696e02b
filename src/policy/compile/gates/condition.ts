import {
  agentName,
  type Condition,
  type EventKind,
  type FieldPattern,
  LAYERS,
  type SinceCondition,
  type TextPattern,
  type WordPattern,
} from '../../../engine/index.ts'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import { isObject } from '../../../lib/json.ts'
import type { ConditionDoc } from '../../schema/condition.ts'
import { type CompileContext, type DocumentKey, reportError, reportErrorAtKey, toList } from '../context.ts'
import { compileFacts } from '../values/facts.ts'
import { checkOtherAction } from '../values/other-action.ts'
import { compileUrls } from '../values/url.ts'
import {
  compileCommands,
  compileFields,
  compilePaths,
  compileTexts,
  compileTools,
  compileVariableNames,
  eachItem,
  parseSetName,
} from '../values/value.ts'
import { captureNames, findCapture, findGate, resolveCaptures } from '../values/variables.ts'
import { warnOfAgentSyntax } from '../warnings/matcher-syntax.ts'
import { definedConditionsOf } from './defined-condition.ts'

/** The gate that a condition belongs to. */
export interface ConditionOwner {
  readonly id: string
  readonly stateful: boolean
}

/** Keys are AND, lists are OR. */
export function compileCondition(context: CompileContext, doc: ConditionDoc, owner: ConditionOwner): Condition {
  // pack options can put one long list into many places
  context.notes.limits?.spend(
    'values',
    Object.values(doc).reduce<number>((sum, item) => sum + countValues(item), 1),
  )
  const all = [
    ...compilePlainKeys(context, doc),
    ...compileStateKeys(context, doc, owner),
    ...compileNested(context, doc, owner),
  ]
  const [only] = all
  return markWholeCommands(all.length === 1 && only ? only : { all })
}

/** Marks commands whose success is required as `whole`: extra words that narrow a check are accepted only if the pattern names them. */
function markWholeCommands(condition: Condition, needsSuccess = false): Condition {
  if ('any' in condition) return { any: condition.any.map(item => markWholeCommands(item, needsSuccess)) }
  if ('all' in condition) {
    const isNeeded = needsSuccess || condition.all.some(requiresSuccess)
    return { all: condition.all.map(item => markWholeCommands(item, isNeeded)) }
  }
  if (!needsSuccess || !('key' in condition) || condition.key !== 'command') return condition
  return {
    ...condition,
    in: condition.in.map(matcher => ('program' in matcher ? { ...matcher, whole: true } : matcher)),
  }
}

function requiresSuccess(condition: Condition): boolean {
  if ('any' in condition) return condition.any.length > 0 && condition.any.every(requiresSuccess)
  if ('all' in condition) return condition.all.some(requiresSuccess)
  return 'key' in condition && condition.key === 'succeeded' && condition.in.some(truth => truth !== 'false')
}

const countValues = (value: unknown): number =>
  Array.isArray(value)
    ? value.length
    : isObject(value)
      ? Object.values(value).reduce<number>((n, item) => n + countValues(item), 1)
      : 1

function compilePlainKeys(context: CompileContext, doc: ConditionDoc): readonly Condition[] {
  const all: Condition[] = []
  if (doc.event !== undefined) all.push({ key: 'event', in: expandEventKinds(doc.event) })
  if (doc.caller !== undefined) all.push({ key: 'caller', in: compileCallers(context, doc, doc.caller) })
  if (doc.tool !== undefined) all.push({ key: 'tool', in: compileTools(context, doc, 'tool', doc.tool) })
  if (doc.action !== undefined) all.push({ key: 'action', in: toList(doc.action) })
  if (doc.command !== undefined)
    all.push({ key: 'command', in: compileCommands(context, doc, 'command', doc.command), ...makerOf(doc) })
  if (doc.path !== undefined) all.push({ key: 'path', in: compilePaths(context, doc, 'path', doc.path) })
  if (doc.file !== undefined) all.push({ key: 'file', in: toList(doc.file) })
  if (doc.url !== undefined) all.push({ key: 'url', in: compileUrls(context, doc, 'url', doc.url) })
  if (doc.source !== undefined) all.push({ key: 'source', in: toList(doc.source) })
  if (doc.succeeded !== undefined && (doc.command ?? doc.words) !== undefined && makerOf(doc).maker)
    reportErrorAtKey(
      context,
      doc,
      'succeeded',
      '`succeeded` is about a command, and not about what it does to a file or a page',
      {
        help: 'leave out `path`, `url` and `action`',
      },
    )
  if (doc.succeeded !== undefined)
    all.push({
      key: 'succeeded',
      in: toList(doc.succeeded).map(value => (value === 'unknown' ? value : value ? 'true' : 'false')),
    })
  if (doc.whitelisted !== undefined)
    all.push({ key: 'whitelisted', is: doc.whitelisted, layers: LAYERS.slice(LAYERS.indexOf(context.unit.layer)) })
  if (doc.approved !== undefined) all.push({ key: 'approved', is: doc.approved })
  return all
}

/** Beside a file, a page or another action than `run`, the command is the one that touches it. */
const makerOf = ({ path, url, action = 'run' }: ConditionDoc): { maker?: true } =>
  path !== undefined || url !== undefined || !toList(action).includes('run') ? { maker: true } : {}

/** Compiles the keys that compare with values, counters or other gates. */
function compileStateKeys(context: CompileContext, doc: ConditionDoc, owner: ConditionOwner): readonly Condition[] {
  const all: Condition[] = []
  if (doc.agent !== undefined) all.push({ key: 'agent', in: compileAgents(context, doc, doc.agent, owner) })
  for (const key of ['prompt', 'text'] as const) {
    const value = doc[key]
    if (value === undefined) continue
    all.push({ key, in: compileTexts(context, doc, key, value, owner.id, 'contains').map(toContainsPattern) })
  }
  if (doc.words !== undefined)
    all.push({
      key: 'words',
      in: compileTexts(context, doc, 'words', doc.words, owner.id, 'words').map(toWordPattern),
      ...makerOf(doc),
    })
  if (doc.input !== undefined) all.push({ key: 'input', fields: compileFields(context, doc.input, owner.id) })
  all.push(...compileFacts(context, doc))
  if (doc.env !== undefined) all.push(compileVariables(context, doc, 'env', owner))
  if (doc.assigns !== undefined) all.push(compileVariables(context, doc, 'assigns', owner))
  if (doc.gate !== undefined) all.push(compileGateStates(context, doc.gate))
  if (doc.captured !== undefined) all.push({ key: 'captured', fields: compileCaptures(context, doc.captured, owner) })
  if (doc.since !== undefined) all.push({ key: 'since', counters: compileCounters(context, doc, doc.since, owner) })
  return all
}

function compileNested(context: CompileContext, doc: ConditionDoc, owner: ConditionOwner): readonly Condition[] {
  const all: Condition[] = []
  const defined = definedConditionsOf(context, doc).map(each => compileCondition(each.context, each.doc, owner))
  if (defined.length > 0) all.push({ any: defined })
  if (doc.not !== undefined) all.push({ not: compileCondition(context, doc.not, owner) })
  if (doc.any !== undefined)
    all.push({ any: doc.any.map(conditionDoc => compileCondition(context, conditionDoc, owner)) })
  if (doc.with !== undefined) all.push(checkOtherAction(context, doc, compileCondition(context, doc.with, owner)))
  if (doc.all !== undefined) all.push(...doc.all.map(conditionDoc => compileCondition(context, conditionDoc, owner)))
  return all
}

/** In a policy, `tool.after` means every finished call, successful or not. */
export const expandEventKinds = (event: EventKind | readonly EventKind[]): readonly EventKind[] => [
  ...new Set(
    toList(event).flatMap((kind): EventKind[] => (kind === 'tool.after' ? ['tool.after', 'tool.failed'] : [kind])),
  ),
]

const toWordPattern = (pattern: TextPattern): WordPattern =>
  'regex' in pattern ? pattern : { like: 'is' in pattern ? pattern.is : pattern.has }

const toContainsPattern = (pattern: TextPattern): TextPattern => ('is' in pattern ? { has: pattern.is } : pattern)

function compileCallers(
  context: CompileContext,
  doc: ConditionDoc,
  value: string | readonly string[],
): readonly string[] {
  return [...eachItem(doc, 'caller', value)].map(([item, inner, key]) => {
    warnOfAgentSyntax(context, inner, key, item, 'caller')
    return rejectSet(context, inner, key, agentName(item))
  })
}

function compileAgents(
  context: CompileContext,
  doc: ConditionDoc,
  value: string | readonly string[],
  owner: ConditionOwner,
): readonly string[] {
  return [...eachItem(doc, 'agent', value)].map(([item, inner, key]) => {
    if (item.includes('{')) return resolveCaptures(context, inner, key, item, owner.id)
    warnOfAgentSyntax(context, inner, key, item, 'agent')
    return rejectSet(context, inner, key, agentName(item))
  })
}

function rejectSet(context: CompileContext, holder: object, key: DocumentKey, value: string): string {
  const set = parseSetName(value)
  if (set !== undefined) reportError(context, holder, key, `unknown set \`$${set}\``)
  return value
}

const ANY_VALUE: readonly TextPattern[] = [{ has: '' }]

/** A mapping requires values; a list of names requires that one of the variables is set. */
function compileVariables(
  context: CompileContext,
  doc: ConditionDoc,
  key: 'env' | 'assigns',
  owner: ConditionOwner,
): Condition {
  const value = doc[key] ?? []
  if (typeof value === 'string' || Array.isArray(value)) {
    const names = compileVariableNames(context, doc, key, value)
    if (key === 'env') for (const name of names) context.notes.env.add(name)
    // no gate has a bypass: the condition never matches, which is not an error
    if (names.length === 0) return { key, fields: [{ field: '', in: [] }] }
    return { any: names.map(field => ({ key, fields: [{ field, in: ANY_VALUE }] })) }
  }
  if (key === 'env') for (const name of Object.keys(value)) context.notes.env.add(name)
  return { key, fields: compileFields(context, value, owner.id) }
}

function compileGateStates(context: CompileContext, doc: NonNullable<ConditionDoc['gate']>): Condition {
  const states = Object.entries(doc).flatMap(([name, state]) => {
    const found = findGate(context, name)
    if (found?.stateful) return [{ gate: found.id, state: toList(state) }]
    const message = found
      ? `gate \`${name}\` is never open or closed: it has no \`initial\``
      : `unknown gate \`${name}\``
    reportErrorAtKey(
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

function compileCaptures(
  context: CompileContext,
  doc: NonNullable<ConditionDoc['captured']>,
  owner: ConditionOwner,
): readonly FieldPattern[] {
  return Object.entries(doc).flatMap(([written, value]) => {
    const field = findCapture(context, written, owner.id)
    if (field === undefined) {
      reportErrorAtKey(context, doc, written, `nothing is captured as \`${written}\``, {
        help: didYouMean(written, captureNames(context)),
      })
      return []
    }
    return [{ field, in: compileTexts(context, doc, written, value, owner.id) }]
  })
}

const COUNTER_MARKS = ['opened', 'closed', 'changed'] as const
const COUNTER_UNITS = ['turns', 'seconds', 'operations'] as const

function compileCounters(
  context: CompileContext,
  doc: ConditionDoc,
  since: NonNullable<ConditionDoc['since']>,
  owner: ConditionOwner,
): readonly SinceCondition[] {
  if (!owner.stateful)
    reportErrorAtKey(context, doc, 'since', '`since` needs a gate with `initial`: this one keeps no state')
  return COUNTER_MARKS.flatMap(mark =>
    COUNTER_UNITS.flatMap(unit => {
      const atLeast = since[mark]?.[unit]
      return atLeast === undefined ? [] : [{ mark, unit, atLeast }]
    }),
  )
}
