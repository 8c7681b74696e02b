import type { ClientInfo } from '../context.ts'

/** Suggests our event name for a client's own event name, which hook authors may know. */
export const createEventNameHint =
  (clients: readonly ClientInfo[]) =>
  (key: string, written: string): string | undefined => {
    if (key !== 'event') return undefined
    for (const { title, eventNames } of clients)
      for (const [name, kind] of eventNames ?? [])
        if (name.toLowerCase() === written.toLowerCase())
          return `\`${name}\` is the name in ${title}: write \`${kind}\``
    return undefined
  }
