import type { ShorthandEvent } from '../abstraction/input-partitioning/sample-calls.ts'

interface BaseFolders {
  readonly root: string
  readonly home?: string | undefined
}

/** Files as somebody in the project names them: from its root, and from `~`. What names none stays the very same. */
export function toProjectRelative(short: ShorthandEvent, { root, home }: BaseFolders): ShorthandEvent {
  const near = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    const text = value.replaceAll(`${root}/`, '')
    // a line of shell may be read again, and would take a quoted `~` for a name
    return home !== undefined && home !== '' && key !== 'shell' && text.startsWith(`${home}/`)
      ? `~${text.slice(home.length)}`
      : text
  }
  const entries = Object.entries(short).map(([key, value]) => [key, near(key, value)] as const)
  return entries.every(([key, value]) => value === short[key]) ? short : Object.fromEntries(entries)
}
