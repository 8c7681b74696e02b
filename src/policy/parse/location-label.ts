import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** `signalbox.yaml:8`, which a policy names from the root of its project, as somebody elsewhere would name it. */
export function relabelLocation(
  at: string,
  { root, home }: { readonly root: string; readonly home: string },
  label: (file: string) => string,
): string {
  const [, file = '', line = ''] = /^(.+?)(:\d+)?$/.exec(at) ?? []
  if (file === '') return at
  const path = file.startsWith('~/') ? join(home, file.slice(2)) : resolve(root, file)
  // a built-in pack lies elsewhere, and has a name of its own
  return existsSync(path) ? `${label(path)}${line}` : at
}
