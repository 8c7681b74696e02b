import type { LiveState } from '../../../../src/dashboard/api.ts'
import { clientOf, sessionOf } from '../../words/name.ts'

const MOST = 4

/** Mermaid reads these as its own signs, and angle brackets as HTML. */
const label = (text: string): string => text.replace(/[^\w .,-]/g, sign => `#${sign.codePointAt(0) ?? 63};`)

/** The drawing with every live session written into the state that it is in. */
export function marked(text: string, live: readonly LiveState[], isWide: boolean): string {
  const states = (['closed', 'open'] as const).flatMap(state => {
    const here = live.filter(one => one.state === state)
    if (here.length === 0 || !new RegExp(`^\\s*(\\[\\*\\]|\\w+) --> ${state}`, 'm').test(text)) return []
    const names = here.slice(0, MOST).map(one => `${clientOf(one.client)} ${sessionOf(one.session)}`)
    const rest = here.length - names.length
    const says = [state, ...names, ...(rest > 0 ? [`and ${rest} more`] : [])].map(label).join('<br/>')
    return [`  state "${says}" as ${state}`, `  class ${state} here`]
  })
  // what its rules say is told beside it, where there is no room for both
  const [head = '', ...lines] = (isWide ? text : text.replace(/\n *note [\s\S]*?\n *end note/g, '')).split('\n')
  return [
    head,
    ...(isWide ? ['  direction LR'] : []),
    ...states.filter(one => one.includes('state "')),
    ...lines,
    ...states.filter(one => one.includes('class ')),
  ].join('\n')
}
