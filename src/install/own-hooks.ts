import type { OwnHook } from '../clients/adopts.ts'
import { isObject, type JsonObject } from '../pattern/index.ts'
import { type Path, partAt } from './edit.ts'
import { type Part, parseJsonc, saidBy } from './jsonc.ts'
import { clientOf } from './ours.ts'
import { commandsIn } from './settings.ts'

/** A hook in a file of settings, and where it stands. */
export interface Found extends OwnHook {
  readonly list: Path
  readonly at: number
}

/** Every hook that is not ours, in the order of the file. What does not look like one is left alone by everybody. */
export function ownHooks(text: string): readonly Found[] {
  const table = partAt(parseJsonc(text), ['hooks'])
  if (table?.kind !== 'table') return []
  return table.members.flatMap(({ key, value }) => hooksOn(key, value))
}

function hooksOn(event: string, list: Part): readonly Found[] {
  if (list.kind !== 'list') return []
  const path: Path = ['hooks', event]
  const found = list.items.flatMap((item, nth): Omit<Found, 'alone'>[] => {
    const said = asObject(saidBy(item))
    const handlers = partAt(item, ['hooks'])
    if (handlers?.kind !== 'list') return [{ event, ...matcherOf(said), group: {}, handler: said, list: path, at: nth }]
    const { hooks: _, ...group } = said
    const inner: Path = [...path, nth, 'hooks']
    return handlers.items.map((one, at) => {
      const handler = asObject(saidBy(one))
      return { event, ...matcherOf(group), group, handler, list: inner, at }
    })
  })
  const theirs = found.filter(({ handler }) => !commandsIn(handler).some(line => clientOf(line) !== undefined))
  return theirs.map(one => ({ ...one, alone: theirs.length === 1 }))
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

const matcherOf = ({ matcher }: JsonObject): { readonly matcher?: unknown } =>
  matcher === undefined ? {} : { matcher }
