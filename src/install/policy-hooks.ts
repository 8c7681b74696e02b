import { isMap, isSeq, parseDocument, stringify } from 'yaml'
import type { Taken } from './adopt.ts'

/** The policy with these hooks at the end of its own; everything that stands there stays to the letter. */
export function withHooks(policy: string, taken: readonly Taken[], from: string): string {
  if (taken.length === 0) return policy
  const document = parseDocument(policy)
  const root = document.contents
  const end = policy.includes('\r\n') ? '\r\n' : '\n'
  const told = [`taken over from ${from} by \`signalbox init --adopt\``]
  const lines = taken.map((one, nth) => linesOf(one, nth === 0 ? told : []))
  const block = (indent: string): string =>
    lines.flatMap(each => each.map(line => (line === '' ? '' : indent + line))).join(end) + end
  if (root === null) return `${closed(policy, end)}hooks:${end}${block('  ')}`
  if (!isMap(root) || root.flow) return throughDocument(policy, taken)
  const pair = root.items.find(({ key }) => String(key) === 'hooks')
  if (!pair) return `${closed(policy, end)}${policy.trim() === '' ? '' : end}hooks:${end}${block('  ')}`
  const list = pair.value
  const [first] = isSeq(list) && !list.flow ? list.items : []
  const range = isSeq(list) ? list.range : undefined
  if (!isSeq(list) || list.flow || !first || !range) return throughDocument(policy, taken)
  const at = policy.lastIndexOf('\n', range[0] - 1) + 1
  const indent = /^[ \t]*/.exec(policy.slice(at))?.[0] ?? ''
  return closed(policy.slice(0, range[1]), end) + block(indent) + policy.slice(range[1])
}

/** The last line ends. */
const closed = (text: string, end: string): string => (text === '' || text.endsWith('\n') ? text : `${text}${end}`)

function linesOf({ hook, comments }: Taken, told: readonly string[]): readonly string[] {
  const said = [...told, ...comments].flatMap(one => one.split('\n')).map(line => `# ${line.replace(/^[\s*]+/, '')}`)
  return [...said, ...stringify([hook], { lineWidth: 0, flowCollectionPadding: false }).trimEnd().split('\n')]
}

/** A list that is written in one line cannot be added to line by line; then only its content stays. */
function throughDocument(policy: string, taken: readonly Taken[]): string {
  const document = parseDocument(policy)
  const given = document.getIn(['hooks'])
  if (isSeq(given)) for (const { hook } of taken) given.add(document.createNode(hook))
  else document.setIn(['hooks'], document.createNode(taken.map(({ hook }) => hook)))
  return document.toString({ lineWidth: 0 })
}
