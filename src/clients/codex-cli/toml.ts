import { parse, type TomlTable } from 'smol-toml'
import { tryOr } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'

/** A file that is no TOML has no settings: Codex does not start with it either. */
export const parseToml = (text: string): TomlTable => tryOr({}, () => parse(text))

const isTable = (value: unknown): value is TomlTable => isObject(value)

/** The table at a path; empty if there is none. */
export const tableAt = (table: TomlTable, ...path: readonly string[]): TomlTable =>
  path.reduce<TomlTable>((inner, key) => {
    const next = inner[key]
    return isTable(next) ? next : {}
  }, table)

/** The setting has this value in the table or in one of its tables. */
export const hasValueAtAnyDepth = (table: TomlTable, key: string, value: boolean): boolean =>
  table[key] === value || Object.values(table).some(inner => isTable(inner) && hasValueAtAnyDepth(inner, key, value))

/** The line that sets the key to a value, in its table or as a dotted key; 1 if it is written otherwise. */
export function lineOfSetting(text: string, key: string, value: boolean): number {
  const at = text.search(new RegExp(`^[^#\\n]*\\b${key}"?\\s*=\\s*${value}\\b`, 'm'))
  return at < 0 ? 1 : text.slice(0, at).split('\n').length
}
