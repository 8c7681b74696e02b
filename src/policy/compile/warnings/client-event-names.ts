import type { ClientInfo } from '../context.ts'

/** The agents' own names of events: who has written hooks knows those. */
export const createEventNameHint =
  (clients: readonly ClientInfo[]) =>
  (key: string, written: string): string | undefined => {
    if (key !== 'event') return undefined
    for (const { title, eventNames } of clients)
      for (const [name, kind] of eventNames ?? [])
        if (name.toLowerCase() === written.toLowerCase()) return `\`${name}\` is ${title}'s word: write \`${kind}\``
    return undefined
  }
