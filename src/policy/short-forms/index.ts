import { toList } from '../compile/context.ts'
import { type PolicyError, policyErrorAt, policyErrorOfFile } from '../parse/policy-error.ts'
import type { SourceMap } from '../parse/source-map.ts'
import type { GateDoc } from '../schema/gate.ts'
import type { LimitDoc, OnlyDoc, ProtectDoc, RequireDoc } from '../schema/short-forms.ts'
import { expandLimit } from './limit.ts'
import { expandOnly } from './only.ts'
import { expandProtect } from './protect.ts'
import { expandRequire } from './require.ts'
import { locateGate, type ShortFormGate } from './short-form-gate.ts'

interface ShortForms {
  readonly gates?: Record<string, GateDoc>
  readonly require?: RequireDoc | readonly RequireDoc[]
  readonly protect?: ProtectDoc | readonly ProtectDoc[]
  readonly limit?: LimitDoc | readonly LimitDoc[]
  readonly only?: OnlyDoc | readonly OnlyDoc[]
}

interface ExpansionContext {
  readonly places: SourceMap
  readonly problems: PolicyError[]
  readonly warnings: PolicyError[]
  readonly file: string
}

/** A short form in the document, and the gates that it stands for. */
interface WrittenForm {
  readonly holder: object
  readonly key: string | number
  readonly gates: readonly ShortFormGate[]
}

/** Returns the gates of a document, its own and those that its short forms stand for; undefined if it has none. */
export function expandShortForms(doc: ShortForms, context: ExpansionContext): Record<string, GateDoc> | undefined {
  const forms: readonly WrittenForm[] = [
    ...writtenForms(doc, 'require', doc.require, expandRequire),
    ...writtenForms(doc, 'protect', doc.protect, expandProtect),
    ...writtenForms(doc, 'limit', doc.limit, expandLimit),
    ...writtenForms(doc, 'only', doc.only, expandOnly),
  ]
  if (forms.length === 0) return doc.gates
  warnOfProtectedFromAll(doc, context)
  const all: Record<string, GateDoc> = { ...doc.gates }
  if (doc.gates) context.places.copy(doc.gates, all)
  for (const form of forms) {
    for (const gate of form.gates) addGate(all, gate, form, context)
  }
  return all
}

function writtenForms<T extends string | object>(
  doc: object,
  key: string,
  value: T | readonly T[] | undefined,
  expand: (form: T, holder: object, key: string | number) => readonly ShortFormGate[],
): readonly WrittenForm[] {
  const list = Array.isArray(value)
  return toList(value).map((form, index) => {
    const [holder, at] = list ? [value, index] : [doc, key]
    return { holder, key: at, gates: expand(form, holder, at) }
  })
}

function addGate(
  all: Record<string, GateDoc>,
  gate: ShortFormGate,
  form: WrittenForm,
  context: ExpansionContext,
): void {
  const { places } = context
  const { name, doc } = gate
  if (Object.hasOwn(all, name)) {
    report(
      context,
      form,
      `this stands for a gate \`${name}\`, and there is one with this name`,
      'give it an `id` of its own',
    )
    return
  }
  const location = places.value(form.holder, form.key)
  if (location) {
    locateGate(gate, location, places)
    places.put(all, name, { key: location, value: location })
  }
  all[name] = doc
}

/** `only` gives an agent files that `protect` keeps from everybody: the agent cannot change them either. */
function warnOfProtectedFromAll({ protect, only }: ShortForms, { places, warnings, file }: ExpansionContext): void {
  const guarded = toList(protect).flatMap(form => toList(typeof form === 'string' ? form : form.paths))
  for (const form of toList(only))
    for (const path of toList(form.paths)) {
      const by = guarded.find(one => isWithin(path, one))
      if (by === undefined) continue
      const agents = toList(form.agent).join(' or ')
      const message = `no agent changes \`${path}\`, not even \`${agents}\`: \`protect\` keeps \`${by}\` from everybody`
      const help = 'remove it from `protect`: `only` keeps it from all other agents'
      const location = places.value(form, 'paths')
      warnings.push(location ? policyErrorAt(location, message, { help }) : policyErrorOfFile(file, message, help))
    }
}

/** Whether the second pattern contains the first, as far as the two texts show. */
function isWithin(path: string, folder: string): boolean {
  const bare = (one: string): string => one.replace(/^\.\//, '').replace(/\/(?:\*\*)?$/, '')
  return bare(path) === bare(folder) || (/\/(?:\*\*)?$/.test(folder) && bare(path).startsWith(`${bare(folder)}/`))
}

function report({ places, problems, file }: ExpansionContext, form: WrittenForm, message: string, help: string): void {
  const location = places.value(form.holder, form.key)
  problems.push(location ? policyErrorAt(location, message, { help }) : policyErrorOfFile(file, message, help))
}
