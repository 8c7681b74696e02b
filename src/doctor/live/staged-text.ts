import type { Wish } from '../../clients/registers.ts'
import { isHookLine, parseJsonc, partAt, placed, refusedIn, removed, replace, saidBy } from '../../install/index.ts'
import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import type { Agent } from '../case.ts'

type Part = ReturnType<typeof parseJsonc>
type Path = readonly (string | number)[]

/**
 * The person's own text, so that a file which the agent does not take is not taken here either. Keys that have no say over hooks go:
 * they would be run, or are secret; but one of a kind for which the agent leaves the file out stays. Other people's hooks stay in
 * their places and do nothing: an agent may remember what it trusts by its place.
 */
export function stagedText(
  text: string,
  { registering: { hook } }: Agent,
  kept: readonly (readonly string[])[],
  more: JsonObject | string | undefined,
): string {
  if (text.replace(/^\ufeff/, '').trim() === '') return isObject(more) ? JSON.stringify(more, null, 2) : text
  const wants = hook.kind === 'settings' ? (hook.reads.wants ?? {}) : {}
  const bare = strayIn(parseJsonc(text), kept, wants, []).reduce(removed, text)
  const quiet = quietHooks(bare)
  return isObject(more) ? leavesOf(more).reduce((sum, { path, value }) => placed(sum, path, value), quiet) : quiet
}

/** Paths that go. */
function strayIn(
  part: Part,
  kept: readonly (readonly string[])[],
  wants: Readonly<Record<string, Wish>>,
  path: readonly string[],
): readonly Path[] {
  if (part.kind !== 'table') return []
  return part.members.flatMap(({ key, value }): readonly Path[] => {
    const here = [...path, key]
    const isWithin = (one: readonly string[]): boolean => one.every((name, at) => name === here[at])
    const isAbove = (one: readonly string[]): boolean => here.every((name, at) => name === one[at])
    if (kept.some(isWithin) || isWrong(value, here, wants)) return []
    return kept.some(isAbove) ? strayIn(value, kept, wants, here) : [here]
  })
}

/** It, or something in it, is what costs the file. */
function isWrong(part: Part, path: readonly string[], wants: Readonly<Record<string, Wish>>): boolean {
  const inner = Object.entries(wants).filter(([name]) => `${name}.`.startsWith(`${path.join('.')}.`))
  const said = path.reduceRight<unknown>((sum, key) => ({ [key]: sum }), saidBy(part))
  return refusedIn(JSON.stringify(said), { wants: Object.fromEntries(inner) }) !== undefined
}

/** What a handler runs, asks or calls, in its own shape. */
const STILL: Readonly<Record<string, string>> = {
  command: 'true',
  bash: 'true',
  powershell: 'true',
  prompt: 'nothing',
  url: 'http://127.0.0.1:9/',
  server: 'none',
}

function quietHooks(text: string): string {
  const hooks = partAt(parseJsonc(text), ['hooks'])
  return hooks ? loudIn(hooks, ['hooks']).reduce((sum, { path, value }) => put(sum, path, value), text) : text
}

function put(text: string, path: Path, value: Json): string {
  const part = partAt(parseJsonc(text), path)
  return part ? replace(text, part, value) : text
}

/** Every word of somebody else's handler that does something, wherever it stands. */
function loudIn(part: Part, path: Path): readonly { readonly path: Path; readonly value: Json }[] {
  if (part.kind === 'list') return part.items.flatMap((item, at) => loudIn(item, [...path, at]))
  if (part.kind !== 'table') return []
  const isHandler = part.members.some(({ key }) => key in STILL)
  if (isHandler && part.members.some(({ value }) => value.kind === 'leaf' && isHookLine(String(value.value)))) return []
  return part.members.flatMap(({ key, value }) => {
    const here = [...path, key]
    if (key === 'headers' || key === 'env') return value.kind === 'table' ? [{ path: here, value: {} }] : []
    if (key === 'args') return value.kind === 'list' ? [{ path: here, value: [] }] : []
    const still = STILL[key]
    if (still === undefined) return loudIn(value, here)
    if (value.kind === 'list') return [{ path: here, value: [still] }]
    return value.kind === 'leaf' && typeof value.value === 'string' ? [{ path: here, value: still }] : []
  })
}

const leavesOf = (
  value: JsonObject,
  path: readonly string[] = [],
): readonly { path: readonly string[]; value: Json }[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    isObject(inner) ? leavesOf(inner, [...path, key]) : [{ path: [...path, key], value: inner }],
  )
