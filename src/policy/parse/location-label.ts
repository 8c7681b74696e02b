import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Converts `signalbox.yaml:8`, relative to its project root, to the label that `label` gives the file. */
export function relabelLocation(
  at: string,
  { root, home }: { readonly root: string; readonly home: string },
  label: (file: string) => string,
): string {
  const [, file = '', line = ''] = /^(.+?)(:\d+)?$/.exec(at) ?? []
  if (file === '') return at
  const path = file.startsWith('~/') ? join(home, file.slice(2)) : resolve(root, file)
  // a built-in pack is not below the root and keeps its name
  return existsSync(path) ? `${label(path)}${line}` : at
}
