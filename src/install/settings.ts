import type { Entry } from '../clients/registers.ts'
import { isObject, type Json } from '../pattern/index.ts'
import { append, partAt, replace, withdraw } from './edit.ts'
import { type Part, parseJsonc, saidBy } from './jsonc.ts'
import { keeping } from './keeping.ts'
import { isHookOf } from './ours.ts'

const isOursFor =
  (client: string) =>
  (part: Part): boolean =>
    commandsIn(saidBy(part)).some(command => isHookOf(command, client))

/** Every text in it that may be a command. */
export function commandsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(commandsIn)
}

/** The settings with the entries in them, each once; the very text where nothing is to be done. */
export function registered(
  text: string,
  client: string,
  entries: readonly Entry[],
  beside: Readonly<Record<string, Json>> = {},
): string {
  const isOurs = isOursFor(client)
  const start = isBlank(text) && Object.keys(beside).length > 0 ? `${JSON.stringify(beside, null, 2)}\n` : text
  return entries.reduce((rest, { path, item }) => {
    const list = isBlank(rest) ? undefined : partAt(parseJsonc(rest), path)
    const ours = list?.kind === 'list' ? list.items.filter(isOurs) : []
    const [only] = ours
    const wanted = keeping(only && ourPart(saidBy(only), client), item)
    if (ours.length !== 1 || !only || isShared(only, client)) return append(withdrawn(rest, client, path), path, wanted)
    return JSON.stringify(saidBy(only)) === JSON.stringify(wanted) ? rest : replace(rest, only, wanted)
  }, start)
}

/** The settings without any of ours. */
export function unregistered(text: string, client: string, paths: readonly (readonly string[])[]): string {
  return paths.reduce((rest, path) => (isBlank(rest) ? rest : withdrawn(rest, client, path)), text)
}

const isBlank = (text: string): boolean => text.replace(/^\ufeff/, '').trim() === ''

/** A person may have put a handler of their own into our group, or ours into theirs: then only ours goes. */
function withdrawn(text: string, client: string, path: readonly string[]): string {
  const isOurs = isOursFor(client)
  let rest = text
  for (;;) {
    if (isBlank(rest)) return rest
    const list = partAt(parseJsonc(rest), path)
    const at = list?.kind === 'list' ? list.items.findIndex(item => isShared(item, client)) : -1
    if (at < 0) break
    rest = withdraw(rest, [...path, at, 'hooks'], isOurs)
  }
  return withdraw(rest, path, isOurs)
}

/** A group that holds our handler and others. */
function isShared(part: Part, client: string): boolean {
  const group = saidBy(part)
  const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : []
  const ours = handlers.filter(one => commandsIn(one).some(command => isHookOf(command, client)))
  return ours.length > 0 && ours.length < handlers.length
}

/** Of a group that holds others too, ours alone: what stands around it is theirs. */
function ourPart(item: unknown, client: string): unknown {
  if (!isObject(item) || !Array.isArray(item.hooks)) return item
  const ours = item.hooks.filter(one => commandsIn(one).some(command => isHookOf(command, client)))
  return ours.length === item.hooks.length ? item : { hooks: ours }
}
