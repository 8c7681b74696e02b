import type { LiveGateState } from '../../../../src/app/dashboard/api.ts'
import { shortClientName, shortSessionId } from '../../words/name.ts'

const MOST = 4

/** Escapes characters that Mermaid would read as syntax or HTML. */
const label = (text: string): string => text.replace(/[^\w .,-]/g, sign => `#${sign.codePointAt(0) ?? 63};`)

const NOTE = /\n *note right of (\w+)\n([\s\S]*?)\n *end note/g

/** Writes the rules and live sessions into the states, because Mermaid's notes leave half of the drawing empty. */
export function markLiveStates(text: string, live: readonly LiveGateState[], isWide: boolean): string {
  const rules = new Map([...text.matchAll(NOTE)].map(([, state = '', says = '']) => [state, linesIn(says)]))
  const states = (['closed', 'open'] as const).flatMap(state => {
    if (!new RegExp(`^\\s*(\\[\\*\\]|\\w+) --> ${state}`, 'm').test(text)) return []
    const here = live.filter(one => one.state === state)
    const names = here.slice(0, MOST).map(one => `${shortClientName(one.client)} ${shortSessionId(one.session)}`)
    const rest = here.length - names.length
    const own = [...names, ...(rest > 0 ? [`and ${rest} more`] : [])].map(label)
    const says = [...(rules.get(state) ?? []), ...own]
    if (says.length === 0) return []
    return [
      `  state "${[state, ...says].join('<br/>')}" as ${state}`,
      ...(own.length > 0 ? [`  class ${state} here`] : []),
    ]
  })
  const [head = '', ...lines] = text.replace(NOTE, '').split('\n')
  return [
    head,
    ...(isWide ? ['  direction LR'] : []),
    ...states.filter(one => one.includes('state "')),
    ...(isWide ? lines : lines.map(narrow)),
    ...states.filter(one => one.includes('class ')),
  ].join('\n')
}

/** Breaks long labels: two long labels side by side are wider than a phone screen. */
const narrow = (line: string): string =>
  line.replace(/^(\s*\w+ --> \w+ ?: )(.*)$/, (_, way: string, says: string) => way + says.replaceAll(', ', ',<br/>'))

const linesIn = (text: string): readonly string[] => text.split('\n').map(line => line.trim())
