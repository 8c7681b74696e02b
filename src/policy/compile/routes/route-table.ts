import type { RouteTable } from '../../../engine/index.ts'
import type { RoutesDoc } from '../../schema/gate.ts'
import { type CompileContext, reportWarning } from '../context.ts'
import type { GateDraft } from '../gates/overrides.ts'
import { eachItem } from '../values/value.ts'
import { compileRoute, isRouteDoc } from './route.ts'
import { importRoutes, type RouteWithSource } from './route-file.ts'
import { indexRoutes } from './route-index.ts'

/** Routes from `from` take the position of that key in the table. */
export function compileRouteTable(context: CompileContext, doc: RoutesDoc, gate: string): RouteTable {
  const all = Object.keys(doc).flatMap(key =>
    key === 'from' ? importedRoutesOf(context, doc, gate) : ownRouteOf(context, doc, key, gate),
  )
  return buildIndexedTable(context, dropDuplicateRoutes(context, all))
}

function importedRoutesOf(context: CompileContext, doc: RoutesDoc, gate: string): readonly RouteWithSource[] {
  return [...eachItem(doc, 'from', doc.from)].flatMap(([written, holder, key]) =>
    importRoutes(context, holder, key, written, gate),
  )
}

function ownRouteOf(context: CompileContext, doc: RoutesDoc, id: string, gate: string): readonly RouteWithSource[] {
  const written = doc[id]
  const route = isRouteDoc(written) ? compileRoute(context, doc, id, written, gate) : null
  return route ? [{ route, holder: doc, key: id }] : []
}

function buildIndexedTable(context: CompileContext, all: readonly RouteWithSource[]): RouteTable {
  const { index, unindexed } = indexRoutes(all.map(source => source.route))
  for (const position of unindexed) {
    const one = all[position]
    const what = `route \`${one?.route.id}\` has no literal of 4 characters: it is tried on every fetch`
    if (one) reportWarning(context, one.holder, one.key, what)
  }
  return { list: all.map(source => source.route), index }
}

function dropDuplicateRoutes(context: CompileContext, all: readonly RouteWithSource[]): readonly RouteWithSource[] {
  const byName = new Map<string, RouteWithSource>()
  for (const source of all) {
    const first = byName.get(source.route.id)
    if (first) reportWarning(context, source.holder, source.key, describeConflict(source.route, first.route))
    else byName.set(source.route.id, source)
  }
  return [...byName.values()]
}

const describeConflict = (
  later: { readonly id: string; readonly at?: string },
  first: { readonly at?: string },
): string => `route \`${later.id}\` of ${later.at} is dropped: ${first.at} has one of that name`

/**
 * Drops routes whose id another document of the same layer already has. The layer's own routes come first, then those of its packs in
 * order. Layers never drop each other's routes.
 */
export function dropDuplicateRoutesAcrossGates(
  context: CompileContext,
  drafts: readonly GateDraft[],
): readonly GateDraft[] {
  const isOwn = (draft: GateDraft): boolean => draft.file === context.unit.file
  const first = new Map<string, { readonly file: string; readonly at?: string }>()
  const thinned = new Map<GateDraft, GateDraft>()
  for (const draft of [...drafts.filter(isOwn), ...drafts.filter(draft => !isOwn(draft))]) {
    const { file, gate } = draft
    const isTwin = (id: string): boolean => (first.get(id)?.file ?? file) !== file
    const list = gate.routes?.list ?? []
    for (const route of list) {
      const twin = first.get(route.id)
      if (!twin) first.set(route.id, { file, ...(route.at ? { at: route.at } : {}) })
      else if (isTwin(route.id)) reportWarning(context, context.unit.parts, 'use', describeConflict(route, twin))
    }
    const rest = list.filter(route => !isTwin(route.id))
    if (rest.length < list.length)
      thinned.set(draft, { ...draft, gate: { ...gate, routes: { list: rest, index: indexRoutes(rest).index } } })
  }
  return drafts.map(draft => thinned.get(draft) ?? draft)
}
