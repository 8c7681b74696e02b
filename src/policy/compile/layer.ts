import type { Allowance } from '../../pattern/index.ts'
import type { Export, Hook, Policy } from '../policy.ts'
import type { ExamplesDoc, GateDoc } from '../schema/gate.ts'
import type { SettingsDoc } from '../schema/policy.ts'
import { compileAllow } from './allow.ts'
import { type CompileInput, type Context, complainOfKey, type GateName, mayLoosen, type Unit } from './context.ts'
import { compileExport } from './export.ts'
import { compileGate, type Draft } from './gate.ts'
import { compileHook } from './hook.ts'
import type { Prepared } from './prepare.ts'
import { isRoute } from './route.ts'
import { withoutTwins } from './route-table.ts'
import { checkBackends, withLifts } from './settings.ts'
import { applyCommon } from './use.ts'
import { compileWorkflows } from './workflow.ts'

/** Examples of one rule or route, judged when the whole program is there. */
export interface Trial {
  readonly gate: string
  readonly id: string
  readonly word: 'rule' | 'route'
  /** the table a route stands in: another of its name may have taken its place */
  readonly table?: object
  readonly examples: ExamplesDoc
}

export interface Part {
  readonly drafts: readonly Draft[]
  readonly allow: readonly Allowance[]
  readonly hooks: readonly Hook[]
  readonly exports: readonly Export[]
  readonly settings: SettingsDoc
  readonly workflows: Policy['workflows']
  readonly trials: readonly Trial[]
  /** of the layer's own document, for adjustments */
  readonly context: Context
}

/** One layer: its packs, then its own gates. */
export function compileLayer(
  prepared: Prepared,
  input: CompileInput,
  names: readonly GateName[],
  trusted: boolean,
): Part {
  const { places, notes, version, units, doc } = prepared
  const contextOf = (unit: Unit): Context => {
    const ready = { input, unit, places, files: version.files, names }
    // what a built-in pack does is known and needs no trust: it is not listed either
    return unit.pack?.builtIn
      ? { ...ready, notes: { ...notes, covers: [], limits: undefined }, trusted: true }
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
  const settings = settingsOf(context, doc?.settings)
  const onError = settings.onError ?? 'open'
  const each = units.map(unit => compileUnit(contextOf(unit), unit, onError, context))
  const drafts = withoutTwins(
    context,
    each.flatMap(one => one.drafts),
  )
  refuseTwins(context, drafts)
  return {
    drafts,
    allow: each.flatMap(one => one.allow),
    hooks: each.flatMap(one => one.hooks),
    exports: each.flatMap(one => one.exports),
    settings,
    workflows: compileWorkflows(context, doc?.workflows),
    trials: units.flatMap(trialsOf),
    context,
  }
}

type UnitPart = Pick<Part, 'drafts' | 'allow' | 'hooks' | 'exports'>

function compileUnit(context: Context, unit: Unit, onError: 'open' | 'closed', user: Context): UnitPart {
  const { parts, pack } = unit
  const gates = Object.entries(parts.gates ?? {}).flatMap(
    ([name, doc]) => compileGate(context, parts.gates ?? {}, name, doc, onError) ?? [],
  )
  const routes: GateDoc | undefined = parts.routes && { routes: parts.routes }
  const table = routes ? compileGate(context, parts, 'routes', routes, onError) : null
  const drafts = table ? [...gates, table] : gates
  return {
    drafts: pack ? applyCommon(user, pack.id, drafts, pack.common) : drafts,
    allow: parts.allow ? [compileAllow(context, parts, parts.allow)].filter(one => one !== null) : [],
    hooks: (parts.hooks ?? []).flatMap(doc => compileHook(context, doc) ?? []),
    exports: exportsOf(context, parts.exports),
  }
}

function exportsOf(context: Context, docs: Unit['parts']['exports'] = {}): readonly Export[] {
  const { 'routing-session-state': doc } = docs
  return doc ? [compileExport(context, docs, 'routing-session-state', doc)].filter(one => one !== null) : []
}

/** A shorter budget makes gates fail open and a shorter expiry forgets: a project's own wait for trust. */
function settingsOf(context: Context, doc: SettingsDoc | undefined): SettingsDoc {
  if (!doc) return {}
  if (!isPersons(context)) refuseKeeping(context, doc)
  checkBackends(context, doc)
  const { onError, ...loose } = doc
  const kept = Object.keys(loose).filter(key => mayLoosen(context, doc, key, `setting \`${key}\``))
  return kept.length === Object.keys(loose).length ? withLifts(context, doc) : onError === undefined ? {} : { onError }
}

const isPersons = ({ unit }: Context): boolean => unit.layer === 'user' || unit.layer === 'managed'

/** The trail is that of all projects: none of them says how soon it forgets. */
function refuseKeeping(context: Context, doc: SettingsDoc): void {
  for (const key of ['keepDays', 'keepMb'] as const)
    if (doc[key] !== undefined)
      complainOfKey(context, doc, key, `setting \`${key}\` is for a policy of your own or a managed one`, {
        help: 'the audit trail is that of all your projects',
      })
}

function refuseTwins(context: Context, drafts: readonly Draft[]): void {
  const seen = new Map<string, Draft>()
  for (const draft of drafts) {
    const { id, name, at } = draft.gate
    const first = seen.get(id)
    const { gates = {}, use = {} }: { gates?: object; use?: object } = context.unit.parts
    const holder = Object.hasOwn(gates, name) ? gates : use
    if (first)
      complainOfKey(context, holder, name, `gate \`${name}\` is declared twice: at ${first.gate.at} and at ${at}`)
    seen.set(id, draft)
  }
}

function trialsOf({ parts, prefix, pack }: Unit): readonly Trial[] {
  if (pack?.tailored) return []
  const gates: [string, GateDoc][] = Object.entries(parts.gates ?? {})
  if (parts.routes) gates.push(['routes', { routes: parts.routes }])
  return gates.flatMap(([name, doc]) => {
    const gate = `${prefix}/${name}`
    const rules = (doc.rules ?? []).flatMap(({ id, examples }, index): Trial[] =>
      examples ? [{ gate, id: id ?? `rule-${index + 1}`, word: 'rule', examples }] : [],
    )
    const routes = Object.entries(doc.routes ?? {}).flatMap(([id, route]): Trial[] =>
      isRoute(route) && route.examples
        ? [{ gate, id, word: 'route', table: doc.routes ?? {}, examples: route.examples }]
        : [],
    )
    return [...rules, ...routes]
  })
}
