import { readFileSync } from 'node:fs'
import type { Client } from '../src/clients/index.ts'
import { EVENT_KINDS } from '../src/engine/index.ts'

const EVENTS = /(<!-- events: [^>]*-->\n)[\s\S]*?(<!-- \/events -->)/

/** The page with the table of what each agent calls an event, as it is now. */
export const withEventNames = (file: string, clients: readonly Client[]): string =>
  readFileSync(file, 'utf8').replace(EVENTS, (_, begin, end) => `${begin}\n${tableOf(clients)}\n${end}`)

function tableOf(clients: readonly Client[]): string {
  const rows = EVENT_KINDS.flatMap(kind => {
    const titles = new Map<string, string[]>()
    for (const { title, eventNames } of clients)
      for (const [name, one] of eventNames ?? [])
        if (one === kind) titles.set(name, [...(titles.get(name) ?? []), title])
    const names = [...titles].map(([name, who]) => `\`${name}\` (${who.join(', ')})`)
    return names.length === 0 ? [] : [`| \`${kind}\` | ${names.join(', ')} |`]
  })
  return `| event | as agents call it |\n|---|---|\n${rows.join('\n')}\n`
}
