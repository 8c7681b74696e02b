import { applyCommonOptions, applyInheritedOptions } from '../packs/options-of-every-pack.ts'
import type { GateExport } from '../policy.ts'
import type { GateDoc } from '../schema/gate.ts'
import type { SettingsDoc } from '../schema/policy.ts'
import {
  type CompileContext,
  type CompileInput,
  mayLoosen,
  type PolicyUnit,
  type ReferableGate,
  reportErrorAtKey,
} from './context.ts'
import { compileAllowlist } from './gates/allowlist.ts'
import type { CompiledLayer, RuleExamples } from './gates/examples.ts'
import { compileExport } from './gates/export.ts'
import { compileGate } from './gates/gate.ts'
import type { GateDraft } from './gates/overrides.ts'
import { compileSubHook } from './gates/sub-hook.ts'
import { compileWorkflows } from './gates/workflow.ts'
import type { PreparedLayer } from './prepare-layer.ts'
import { isRouteDoc } from './routes/route.ts'
import { dropDuplicateRoutesAcrossGates } from './routes/route-table.ts'
import { checkBackends, resolveYieldingGates } from './settings.ts'
import { warnOfDefinitions } from './warnings/definitions.ts'

/** Compiles one layer: its packs, then its own gates. */
export function compileLayer(
  prepared: PreparedLayer,
  input: CompileInput,
  names: readonly ReferableGate[],
  trusted: boolean,
): CompiledLayer {
  const { places, notes, version, units, doc } = prepared
  const contextOf = (unit: PolicyUnit): CompileContext => {
    const ready = { input, unit, places, files: version.files, names }
    // built-in packs need no trust, so what they run or loosen is not listed
    return unit.pack?.builtIn
      ? { ...ready, notes: { ...notes, needsTrust: [], limits: undefined }, trusted: true }
      : { ...ready, notes, trusted }
  }
  const own = prepared.own ?? {
    layer: version.layer,
    prefix: version.layer,
    file: version.file,
    folder: '',
    parts: {},
    options: new Map(),
  }
  const context = contextOf(own)
  const settings = compileSettings(context, doc?.settings)
  const onError = settings.onError ?? 'open'
  const each = units.map(unit => compileUnit(contextOf(unit), unit, onError, context))
  const drafts = dropDuplicateRoutesAcrossGates(
    context,
    each.flatMap(unit => unit.drafts),
  )
  rejectDuplicateGates(context, drafts)
  return {
    drafts,
    allow: each.flatMap(unit => unit.allow),
    hooks: each.flatMap(unit => unit.hooks),
    exports: each.flatMap(unit => unit.exports),
    settings,
    workflows: compileWorkflows(context, doc?.workflows),
    trials: units.flatMap(collectExamples),
    context,
  }
}

type CompiledUnit = Pick<CompiledLayer, 'drafts' | 'allow' | 'hooks' | 'exports'>

function compileUnit(
  context: CompileContext,
  unit: PolicyUnit,
  onError: 'open' | 'closed',
  user: CompileContext,
): CompiledUnit {
  const { parts, pack } = unit
  warnOfDefinitions(context, unit)
  const gates = Object.entries(parts.gates ?? {}).flatMap(
    ([name, doc]) => compileGate(context, parts.gates ?? {}, name, doc, onError) ?? [],
  )
  const routes: GateDoc | undefined = parts.routes && { routes: parts.routes }
  const table = routes ? compileGate(context, parts, 'routes', routes, onError) : null
  const drafts = table ? [...gates, table] : gates
  return {
    drafts: pack ? applyOptionsOfUsers(context, pack, drafts, user) : drafts,
    allow: parts.allow ? [compileAllowlist(context, parts, parts.allow)].filter(candidate => candidate !== null) : [],
    hooks: (parts.hooks ?? []).flatMap(doc => compileSubHook(context, doc) ?? []),
    exports: compileExports(context, parts.exports),
  }
}

/** The common options of a pack, then those of the packs that use it. What a built-in pack sets needs no trust. */
function applyOptionsOfUsers(
  context: CompileContext,
  pack: NonNullable<PolicyUnit['pack']>,
  drafts: readonly GateDraft[],
  user: CompileContext,
): readonly GateDraft[] {
  const speakerOf = ({ usedBy }: typeof pack): CompileContext => (usedBy?.builtIn ? context : user)
  let applied = applyCommonOptions(speakerOf(pack), pack.id, drafts, pack.common)
  for (let outer = pack.usedBy; outer; outer = outer.usedBy)
    applied = applyInheritedOptions(speakerOf(outer), pack.id, applied, outer.common)
  return applied
}

function compileExports(context: CompileContext, docs: PolicyUnit['parts']['exports'] = {}): readonly GateExport[] {
  const { 'routing-session-state': doc } = docs
  return doc ? [compileExport(context, docs, 'routing-session-state', doc)].filter(candidate => candidate !== null) : []
}

/** A project's settings need trust: a shorter budget makes gates fail open, a shorter expiry forgets sessions. */
function compileSettings(context: CompileContext, doc: SettingsDoc | undefined): SettingsDoc {
  if (!doc) return {}
  if (!isPersonalLayer(context)) rejectRetentionSettings(context, doc)
  checkBackends(context, doc)
  const { onError, ...loose } = doc
  const permitted = Object.keys(loose).filter(key => mayLoosen(context, doc, key, `setting \`${key}\``))
  return permitted.length === Object.keys(loose).length
    ? resolveYieldingGates(context, doc)
    : onError === undefined
      ? {}
      : { onError }
}

const isPersonalLayer = ({ unit }: CompileContext): boolean => unit.layer === 'user' || unit.layer === 'managed'

/** All projects share the audit log, so no project may set its retention. */
function rejectRetentionSettings(context: CompileContext, doc: SettingsDoc): void {
  for (const key of ['keepDays', 'keepMb'] as const)
    if (doc[key] !== undefined)
      reportErrorAtKey(context, doc, key, `setting \`${key}\` works only in your own policy or a managed one`, {
        help: 'all your projects share one audit log',
      })
}

function rejectDuplicateGates(context: CompileContext, drafts: readonly GateDraft[]): void {
  const seen = new Map<string, GateDraft>()
  for (const draft of drafts) {
    const { id, name, at } = draft.gate
    const first = seen.get(id)
    const { gates = {}, use = {} }: { gates?: object; use?: object } = context.unit.parts
    const holder = Object.hasOwn(gates, name) ? gates : use
    if (first)
      reportErrorAtKey(context, holder, name, `gate \`${name}\` is declared twice: at ${first.gate.at} and at ${at}`)
    seen.set(id, draft)
  }
}

function collectExamples({ parts, prefix, pack }: PolicyUnit): readonly RuleExamples[] {
  // those of a built-in pack hold for everybody: test/packs.test.ts evaluates them
  if (pack?.hasOwnOptions || pack?.builtIn) return []
  const gates: [string, GateDoc][] = Object.entries(parts.gates ?? {})
  if (parts.routes) gates.push(['routes', { routes: parts.routes }])
  return gates.flatMap(([name, doc]) => {
    const gate = `${prefix}/${name}`
    const rules = (doc.rules ?? []).flatMap(({ id, examples }, index): RuleExamples[] =>
      examples ? [{ gate, id: id ?? `rule-${index + 1}`, word: 'rule', examples }] : [],
    )
    const routes = Object.entries(doc.routes ?? {}).flatMap(([id, route]): RuleExamples[] =>
      isRouteDoc(route) && route.examples
        ? [{ gate, id, word: 'route', table: doc.routes ?? {}, examples: route.examples }]
        : [],
    )
    return [...rules, ...routes]
  })
}
