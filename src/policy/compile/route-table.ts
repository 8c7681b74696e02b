import type { RouteTable } from '../../core/index.ts'
import type { RoutesDoc } from '../schema/gate.ts'
import { type Context, warn } from './context.ts'
import type { Draft } from './gate.ts'
import { compileRoute, isRoute } from './route.ts'
import { importRoutes, type Sourced } from './route-file.ts'
import { indexRoutes } from './route-index.ts'
import { items } from './value.ts'

/** `from` stands where it is written: its routes come after those above it. */
export function compileRoutes(context: Context, doc: RoutesDoc, gate: string): RouteTable {
  const all = Object.keys(doc).flatMap(key =>
    key === 'from' ? imported(context, doc, gate) : own(context, doc, key, gate),
  )
  return tableOf(context, firstOfEachName(context, all))
}

function imported(context: Context, doc: RoutesDoc, gate: string): readonly Sourced[] {
  return [...items(doc, 'from', doc.from)].flatMap(([written, holder, key]) =>
    importRoutes(context, holder, key, written, gate),
  )
}

function own(context: Context, doc: RoutesDoc, id: string, gate: string): readonly Sourced[] {
  const written = doc[id]
  const route = isRoute(written) ? compileRoute(context, doc, id, written, gate) : null
  return route ? [{ route, holder: doc, key: id }] : []
}

function tableOf(context: Context, all: readonly Sourced[]): RouteTable {
  const { index, unindexed } = indexRoutes(all.map(one => one.route))
  for (const position of unindexed) {
    const one = all[position]
    const what = `route \`${one?.route.id}\` has no literal of 4 characters: it is tried on every fetch`
    if (one) warn(context, one.holder, one.key, what)
  }
  return { list: all.map(one => one.route), index }
}

function firstOfEachName(context: Context, all: readonly Sourced[]): readonly Sourced[] {
  const kept = new Map<string, Sourced>()
  for (const one of all) {
    const first = kept.get(one.route.id)
    if (first) warn(context, one.holder, one.key, conflict(one.route, first.route))
    else kept.set(one.route.id, one)
  }
  return [...kept.values()]
}

const conflict = (later: { readonly id: string; readonly at?: string }, first: { readonly at?: string }): string =>
  `route \`${later.id}\` of ${later.at} is dropped: ${first.at} has one of that name`

/**
 * Of routes of one name that a layer gets from several documents the later are dropped: its own come first, then those
 * of its packs in order. Layers do not drop each other's: they only add.
 */
export function withoutTwins(context: Context, drafts: readonly Draft[]): readonly Draft[] {
  const isOwn = (draft: Draft): boolean => draft.file === context.unit.file
  const first = new Map<string, { readonly file: string; readonly at?: string }>()
  const thinned = new Map<Draft, Draft>()
  for (const draft of [...drafts.filter(isOwn), ...drafts.filter(draft => !isOwn(draft))]) {
    const { file, gate } = draft
    const isTwin = (id: string): boolean => (first.get(id)?.file ?? file) !== file
    const list = gate.routes?.list ?? []
    for (const route of list) {
      const twin = first.get(route.id)
      if (!twin) first.set(route.id, { file, ...(route.at ? { at: route.at } : {}) })
      else if (isTwin(route.id)) warn(context, context.unit.parts, 'use', conflict(route, twin))
    }
    const rest = list.filter(route => !isTwin(route.id))
    if (rest.length < list.length)
      thinned.set(draft, { ...draft, gate: { ...gate, routes: { list: rest, index: indexRoutes(rest).index } } })
  }
  return drafts.map(draft => thinned.get(draft) ?? draft)
}
