import type { Condition, Gate, RouteTable, Rule, Transition } from '../../../engine/index.ts'
import type { ConditionDoc } from '../../schema/condition.ts'
import type { BypassDoc, GateDoc } from '../../schema/gate.ts'
import { type CompileContext, type DocumentKey, locationLabelOf, mayLoosen, reportErrorAtKey } from '../context.ts'
import { compileRouteTable } from '../routes/route-table.ts'
import { withDefaultEvent } from '../values/event-kinds.ts'
import { resolveImportPath } from '../values/imported-allowlist.ts'
import { requireCountAtStart } from '../values/missing-event.ts'
import { compileText } from '../values/text.ts'
import { compileFields } from '../values/value.ts'
import { suggestAttestedRuns } from './attestation-hint.ts'
import { warnAboutCodeModule } from './code-module.ts'
import { type ConditionOwner, compileCondition } from './condition.ts'
import type { GateDraft } from './overrides.ts'
import { compileRule } from './rule.ts'
import { compileTransition } from './transition.ts'

const GATE_NAME = /^[a-z0-9][a-z0-9_-]*$/i

export function compileGate(
  context: CompileContext,
  gates: object,
  name: string,
  doc: GateDoc,
  onError: 'open' | 'closed',
): GateDraft | null {
  context.notes.limits?.spend('gates', 1)
  if (!GATE_NAME.test(name))
    reportErrorAtKey(context, gates, name, `gate \`${name}\` must be named with letters, digits, \`-\` and \`_\``)
  const id = `${context.unit.prefix}/${name}`
  const owner: ConditionOwner = { id, stateful: doc.initial !== undefined }
  if (!owner.stateful)
    for (const key of STATE_KEYS)
      if (doc[key] !== undefined)
        reportErrorAtKey(context, doc, key, `\`${key}\` needs \`initial\` in gate \`${name}\``)
  const bypass = compileOwnBypass(context, doc, owner, name)
  const transitions = compileTransitions(context, doc, owner)
  const draft: GateDraft = {
    gate: {
      id,
      name,
      layer: context.unit.layer,
      ...(doc.about === undefined ? {} : { about: doc.about }),
      ...(doc.initial === undefined ? {} : { initial: doc.initial }),
      scope: doc.scope ?? 'session',
      ...(doc.counts ? { counts: compileCounts(context, doc, doc.counts, owner) } : {}),
      onError: doc.onError ?? onError,
      ...(doc.opens === undefined ? {} : { opens: doc.opens }),
      yields: doc.yields ?? true,
      ...(bypass ? { bypass } : {}),
      ...compileDebug(context, doc, id, name),
      transitions,
      rules: suggestAttestedRuns(context, transitions, compileRules(context, doc, owner)),
      ...compileGateRoutes(context, doc, id),
      ...(doc.code === undefined ? {} : { code: resolveImportPath(context, doc.code) }),
      at: locationLabelOf(context, gates, name),
    },
    mode: doc.mode ?? 'block',
    locked: doc.locked ?? false,
    options: context.unit.options,
    file: context.unit.file,
  }
  warnAboutCodeModule(context, doc)
  if (doc.code !== undefined && !mayLoosen(context, doc, 'code', `gate \`${name}\` runs \`${doc.code}\``)) return null
  return draft
}

function compileCounts(context: CompileContext, gate: GateDoc, doc: ConditionDoc, owner: ConditionOwner): Condition {
  const counts = compileCondition(context, doc, owner)
  requireCountAtStart(context, gate, counts)
  return withDefaultEvent(counts)
}

/** A managed policy ignores bypasses that it does not define itself, including those of packs. */
function compileOwnBypass(
  context: CompileContext,
  doc: GateDoc,
  owner: ConditionOwner,
  name: string,
): Gate['bypass'] | undefined {
  if (!doc.bypass || (context.unit.layer === 'managed' && context.unit.pack)) return undefined
  return compileBypass(context, doc, 'bypass', doc.bypass, owner, name)
}

const STATE_KEYS = ['transitions', 'opens'] as const

/** Undefined until trusted. */
export function compileBypass(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  doc: BypassDoc,
  owner: ConditionOwner,
  name: string,
): Gate['bypass'] | undefined {
  for (const variable of Object.keys(doc.env)) context.notes.env.add(variable)
  if (Object.keys(doc.env).length === 0)
    reportErrorAtKey(context, holder, key, `\`bypass\` of gate \`${name}\` names no variable`)
  const textOwner = { gate: owner.id, named: [], suggests: false }
  const bypass = {
    when: { key: 'env' as const, fields: compileFields(context, doc.env, owner.id) },
    ...(doc.message === undefined ? {} : { message: compileText(context, doc, 'message', doc.message, textOwner) }),
  }
  return mayLoosen(context, holder, key, `bypass of gate \`${name}\``) ? bypass : undefined
}

/** The debug message of all routes with this variable set, unless their gate defines another. */
const ROUTE_DEBUG = {
  env: { TOOL_ROUTING_DEBUG: { regex: '(?i)^(1|true|yes)$' } },
  message: '❌ Tool Routing: {rule}\n{?url}Matched URL: {url}\n{/}Pattern: {pattern}',
}

/** Debugging only adds text and lifts nothing, so it needs no trust. */
function compileDebug(context: CompileContext, doc: GateDoc, id: string, name: string): Pick<Gate, 'debug'> {
  const debug = doc.debug ?? (doc.routes && ROUTE_DEBUG)
  if (!debug) return {}
  for (const variable of Object.keys(debug.env)) context.notes.env.add(variable)
  if (Object.keys(debug.env).length === 0)
    reportErrorAtKey(context, debug, 'env', `\`debug\` of gate \`${name}\` names no variable`)
  const message = compileText(context, debug, 'message', debug.message, {
    gate: id,
    named: [],
    suggests: false,
  })
  return { debug: { env: compileFields(context, debug.env, id), message } }
}

function compileTransitions(context: CompileContext, doc: GateDoc, owner: ConditionOwner): readonly Transition[] {
  const list = doc.transitions ?? []
  const ids = assignIds(context, list, 'transition')
  return list.map((item, index) => compileTransition(context, item, ids[index] ?? '', owner))
}

function compileRules(context: CompileContext, doc: GateDoc, owner: ConditionOwner): readonly Rule[] {
  const list = doc.rules ?? []
  const ids = assignIds(context, list, 'rule')
  return list.flatMap((item, index) => compileRule(context, item, ids[index] ?? '', owner) ?? [])
}

function compileGateRoutes(context: CompileContext, doc: GateDoc, gate: string): { routes?: RouteTable } {
  if (doc.routes === undefined) return {}
  const taken = new Set((doc.rules ?? []).map((rule, index) => rule.id ?? `rule-${index + 1}`))
  for (const id of Object.keys(doc.routes))
    if (taken.has(id))
      reportErrorAtKey(context, doc.routes, id, `route \`${id}\` has the id of a rule of the same gate`)
  return { routes: compileRouteTable(context, doc.routes, gate) }
}

/** Assigns `rule-1`, `rule-2` … by position where no id is written. */
function assignIds(context: CompileContext, list: readonly { id?: string }[], word: string): readonly string[] {
  const seen = new Set<string>()
  return list.map((item, index) => {
    const id = item.id ?? `${word}-${index + 1}`
    if (item.id === undefined && context.unit.pack)
      reportErrorAtKey(context, list, index, `a ${word} of pack \`${context.unit.pack.id}\` has no \`id\``, {
        help: 'users of the pack refer to it by its id',
      })
    if (seen.has(id)) reportErrorAtKey(context, item, 'id', `${word} \`${id}\` is declared twice`)
    seen.add(id)
    return id
  })
}
