const BEGIN = '<!-- signalbox: written by `signalbox init`, removed by `signalbox uninstall` -->'
const END = '<!-- /signalbox -->'

/** What an agent should know of it. */
export const WORDS = `## Signalbox

Tool calls here are checked against a policy (\`signalbox.yaml\`). A call that is refused says why and what to do instead: do that;
other words for the same call are refused too. If it says to route first, spawn the agent \`router\` with the user's request: it ends
with a decision as JSON, and that opens everything else. The policy, the hooks and their switches belong to the user: ask for changes.`

const SECTION = `${BEGIN}\n${WORDS}\n${END}`

/** The text with our section in it, once, where it was or at the end. */
export function withSection(text: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const section = SECTION.replaceAll('\n', end)
  const at = placeOf(text)
  if (at) return text.slice(0, at.from) + section + text.slice(at.to)
  if (text === '') return `${section}${end}`
  const gap = text.endsWith(`${end}${end}`) ? '' : text.endsWith(end) ? end : `${end}${end}`
  return `${text}${gap}${section}${end}`
}

/** The text without it, and without the blank line before it. */
export function withoutSection(text: string): string {
  const at = placeOf(text)
  if (!at) return text
  const before = text.slice(0, at.from).replace(/(\r?\n)\r?\n$/, '$1')
  return before + text.slice(at.to).replace(/^\r?\n/, '')
}

function placeOf(text: string): { readonly from: number; readonly to: number } | undefined {
  const from = text.indexOf(BEGIN)
  const to = text.indexOf(END, from)
  return from < 0 || to < 0 ? undefined : { from, to: to + END.length }
}
