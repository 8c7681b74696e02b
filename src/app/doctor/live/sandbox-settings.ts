import type { SettingType } from '../../../clients/settings.ts'
import { isObject, type Json, type JsonObject } from '../../../lib/json.ts'
import {
  findUnsupportedSyntax,
  isHookLine,
  nodeAt,
  nodeValue,
  parseJsonc,
  removeAt,
  replaceNode,
  setAt,
} from '../../install/index.ts'
import type { InstalledAgent } from '../context.ts'

type JsonNode = ReturnType<typeof parseJsonc>
type NodePath = readonly (string | number)[]

/**
 * Edits the user's own text, so that a file the agent would not load is not loaded here either. Keys that do not affect hooks are
 * removed: they could run something or be secret. A key that makes the agent ignore the file stays. Other hooks stay in their
 * positions but do nothing: an agent may store its trust by position.
 */
export function renderSandboxSettings(
  text: string,
  { registering: { hook } }: InstalledAgent,
  paths: readonly (readonly string[])[],
  more: JsonObject | string | undefined,
): string {
  if (text.replace(/^\ufeff/, '').trim() === '') return isObject(more) ? JSON.stringify(more, null, 2) : text
  const wants = hook.kind === 'settings' ? (hook.reads.wants ?? {}) : {}
  const bare = removablePathsIn(parseJsonc(text), paths, wants, []).reduce(removeAt, text)
  const quiet = neutralizeHooks(bare)
  return isObject(more) ? scalarPathsOf(more).reduce((sum, { path, value }) => setAt(sum, path, value), quiet) : quiet
}

/** Paths to remove. */
function removablePathsIn(
  part: JsonNode,
  paths: readonly (readonly string[])[],
  wants: Readonly<Record<string, SettingType>>,
  path: readonly string[],
): readonly NodePath[] {
  if (part.kind !== 'table') return []
  return part.members.flatMap(({ key, value }): readonly NodePath[] => {
    const here = [...path, key]
    const isWithin = (item: readonly string[]): boolean => item.every((name, at) => name === here[at])
    const isAbove = (item: readonly string[]): boolean => here.every((name, at) => name === item[at])
    if (paths.some(isWithin) || isUnloadable(value, here, wants)) return []
    return paths.some(isAbove) ? removablePathsIn(value, paths, wants, here) : [here]
  })
}

/** The value, or something in it, makes the agent ignore the file. */
function isUnloadable(part: JsonNode, path: readonly string[], wants: Readonly<Record<string, SettingType>>): boolean {
  const inner = Object.entries(wants).filter(([name]) => `${name}.`.startsWith(`${path.join('.')}.`))
  const nested = path.reduceRight<unknown>((sum, key) => ({ [key]: sum }), nodeValue(part))
  return findUnsupportedSyntax(JSON.stringify(nested), { wants: Object.fromEntries(inner) }) !== undefined
}

/** Harmless replacements for what a handler runs or calls. */
const HARMLESS_VALUES: Readonly<Record<string, string>> = {
  command: 'true',
  bash: 'true',
  powershell: 'true',
  prompt: 'nothing',
  url: 'http://127.0.0.1:9/',
  server: 'none',
}

function neutralizeHooks(text: string): string {
  const hooks = nodeAt(parseJsonc(text), ['hooks'])
  return hooks
    ? activeValuesIn(hooks, ['hooks']).reduce((sum, { path, value }) => replaceAt(sum, path, value), text)
    : text
}

function replaceAt(text: string, path: NodePath, value: Json): string {
  const part = nodeAt(parseJsonc(text), path)
  return part ? replaceNode(text, part, value) : text
}

/** All values of other people's handlers that would do something, at any depth. */
function activeValuesIn(part: JsonNode, path: NodePath): readonly { readonly path: NodePath; readonly value: Json }[] {
  if (part.kind === 'list') return part.items.flatMap((item, at) => activeValuesIn(item, [...path, at]))
  if (part.kind !== 'table') return []
  const isHandler = part.members.some(({ key }) => key in HARMLESS_VALUES)
  if (isHandler && part.members.some(({ value }) => value.kind === 'leaf' && isHookLine(String(value.value)))) return []
  return part.members.flatMap(({ key, value }) => {
    const here = [...path, key]
    if (key === 'headers' || key === 'env') return value.kind === 'table' ? [{ path: here, value: {} }] : []
    if (key === 'args') return value.kind === 'list' ? [{ path: here, value: [] }] : []
    const still = HARMLESS_VALUES[key]
    if (still === undefined) return activeValuesIn(value, here)
    if (value.kind === 'list') return [{ path: here, value: [still] }]
    return value.kind === 'leaf' && typeof value.value === 'string' ? [{ path: here, value: still }] : []
  })
}

const scalarPathsOf = (
  value: JsonObject,
  path: readonly string[] = [],
): readonly { path: readonly string[]; value: Json }[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    isObject(inner) ? scalarPathsOf(inner, [...path, key]) : [{ path: [...path, key], value: inner }],
  )
