import type { ExistingHook } from '../../../clients/import-hooks.ts'
import { isObject, type JsonObject } from '../../../lib/json.ts'
import { clientOfHookLine } from '../ownership.ts'
import { type JsonPath, nodeAt } from '../settings-file/edit-jsonc.ts'
import { collectStrings } from '../settings-file/hook-entries.ts'
import { type JsoncNode, nodeValue, parseJsonc } from '../settings-file/jsonc.ts'

/** A hook in a settings file, and its position. */
export interface LocatedHook extends ExistingHook {
  readonly list: JsonPath
  readonly at: number
}

/** All hooks that are not ours, in file order. Entries that are no hooks are ignored. */
export function findUserHooks(text: string): readonly LocatedHook[] {
  const table = nodeAt(parseJsonc(text), ['hooks'])
  if (table?.kind !== 'table') return []
  return table.members.flatMap(({ key, value }) => userHooksOnEvent(key, value))
}

function userHooksOnEvent(event: string, list: JsoncNode): readonly LocatedHook[] {
  if (list.kind !== 'list') return []
  const path: JsonPath = ['hooks', event]
  const found = list.items.flatMap((item, nth): Omit<LocatedHook, 'alone'>[] => {
    const entry = toObject(nodeValue(item))
    const handlers = nodeAt(item, ['hooks'])
    if (handlers?.kind !== 'list')
      return [{ event, ...matcherOf(entry), group: {}, handler: entry, list: path, at: nth }]
    const { hooks: _, ...group } = entry
    const inner: JsonPath = [...path, nth, 'hooks']
    return handlers.items.map((node, at) => {
      const handler = toObject(nodeValue(node))
      return { event, ...matcherOf(group), group, handler, list: inner, at }
    })
  })
  const theirs = found.filter(
    ({ handler }) => !collectStrings(handler).some(line => clientOfHookLine(line) !== undefined),
  )
  return theirs.map(their => ({ ...their, alone: theirs.length === 1 }))
}

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

const matcherOf = ({ matcher }: JsonObject): { readonly matcher?: unknown } =>
  matcher === undefined ? {} : { matcher }
