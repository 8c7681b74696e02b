import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Path → kind, mode and content. */
export type Tree = ReadonlyMap<string, string>

/** All that is in a folder, byte for byte. */
export function treeOf(folder: string, isLeftOut: (path: string) => boolean): Tree {
  const entries: [string, string][] = []
  const walk = (under: string): void => {
    for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
      const path = under === '' ? entry.name : `${under}/${entry.name}`
      if (isLeftOut(path)) continue
      const file = join(folder, path)
      if (entry.isSymbolicLink()) entries.push([path, `link ${readlinkSync(file)}`])
      else if (entry.isFile()) entries.push([path, `${modeOf(file)} ${readFileSync(file, 'latin1')}`])
      else if (entry.isDirectory()) {
        entries.push([path, `folder ${modeOf(file)}`])
        walk(path)
      }
    }
  }
  walk('')
  return new Map(entries)
}

/** Paths that are there in one only, or are not the same. */
export const differing = (one: Tree, other: Tree): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(path => one.get(path) !== other.get(path)).sort()

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)
