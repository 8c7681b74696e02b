import type { SettingsEntry } from '../../../clients/settings.ts'
import { isObject, type Json } from '../../../lib/json.ts'
import { isHookLineOf } from '../ownership.ts'
import { appendItem, nodeAt, removeItems, replaceNode } from './edit-jsonc.ts'
import { type JsoncNode, nodeValue, parseJsonc } from './jsonc.ts'
import { mergeEntry } from './merge-entry.ts'

const createOwnershipTest =
  (client: string) =>
  (part: JsoncNode): boolean =>
    collectStrings(nodeValue(part)).some(command => isHookLineOf(command, client))

/** All strings in a value: each may be a command. */
export function collectStrings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(collectStrings)
}

/** Adds each entry exactly once; returns the same text if nothing changes. */
export function addHookEntries(
  text: string,
  client: string,
  entries: readonly SettingsEntry[],
  beside: Readonly<Record<string, Json>> = {},
): string {
  const isOurs = createOwnershipTest(client)
  const start = isBlankText(text) && Object.keys(beside).length > 0 ? `${JSON.stringify(beside, null, 2)}\n` : text
  return entries.reduce((rest, { path, item }) => {
    const list = isBlankText(rest) ? undefined : nodeAt(parseJsonc(rest), path)
    const ours = list?.kind === 'list' ? list.items.filter(isOurs) : []
    const [only] = ours
    const wanted = mergeEntry(only && ownHandlersOf(nodeValue(only), client), item)
    if (ours.length !== 1 || !only || isSharedGroup(only, client))
      return appendItem(removeEntriesAt(rest, client, path), path, wanted)
    return JSON.stringify(nodeValue(only)) === JSON.stringify(wanted) ? rest : replaceNode(rest, only, wanted)
  }, start)
}

/** The settings without our entries. */
export function removeHookEntries(text: string, client: string, paths: readonly (readonly string[])[]): string {
  return paths.reduce((rest, path) => (isBlankText(rest) ? rest : removeEntriesAt(rest, client, path)), text)
}

const isBlankText = (text: string): boolean => text.replace(/^\ufeff/, '').trim() === ''

/** A user may have added a handler to our group, or moved ours into theirs: then only our handler is removed. */
function removeEntriesAt(text: string, client: string, path: readonly string[]): string {
  const isOurs = createOwnershipTest(client)
  let rest = text
  for (;;) {
    if (isBlankText(rest)) return rest
    const list = nodeAt(parseJsonc(rest), path)
    const at = list?.kind === 'list' ? list.items.findIndex(item => isSharedGroup(item, client)) : -1
    if (at < 0) break
    rest = removeItems(rest, [...path, at, 'hooks'], isOurs)
  }
  return removeItems(rest, path, isOurs)
}

/** A group that contains our handler and others. */
function isSharedGroup(part: JsoncNode, client: string): boolean {
  const group = nodeValue(part)
  const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : []
  const ours = handlers.filter(handler => collectStrings(handler).some(command => isHookLineOf(command, client)))
  return ours.length > 0 && ours.length < handlers.length
}

/** Only our handlers of a shared group: its other keys belong to the user. */
function ownHandlersOf(item: unknown, client: string): unknown {
  if (!isObject(item) || !Array.isArray(item.hooks)) return item
  const ours = item.hooks.filter(hook => collectStrings(hook).some(command => isHookLineOf(command, client)))
  return ours.length === item.hooks.length ? item : { hooks: ours }
}
