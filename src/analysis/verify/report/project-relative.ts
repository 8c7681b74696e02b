import type { ShorthandEvent } from '../abstraction/residual-condition.ts'

interface BaseFolders {
  readonly root: string
  readonly home?: string | undefined
}

/** Shortens paths to project-relative or `~` form. Events without such paths are returned unchanged, as the same object. */
export function toProjectRelative(short: ShorthandEvent, { root, home }: BaseFolders): ShorthandEvent {
  const near = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    const text = value.replaceAll(`${root}/`, '')
    // a shell line may be parsed again, where a quoted `~` would be a literal name
    return home !== undefined && home !== '' && key !== 'shell' && text.startsWith(`${home}/`)
      ? `~${text.slice(home.length)}`
      : text
  }
  const entries = Object.entries(short).map(([key, value]) => [key, near(key, value)] as const)
  return entries.every(([key, value]) => value === short[key]) ? short : Object.fromEntries(entries)
}
