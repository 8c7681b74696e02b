import { isMap, isSeq, parseDocument, stringify } from 'yaml'
import type { ImportedHook } from '../../../clients/import-hooks.ts'
import { type ExtractedHook, movesToPolicy } from './extract-hooks.ts'

const IMPORT_MARK = '`signalbox init --adopt`'

/** Appends hooks to the policy's list; all existing text stays exactly as it is. */
export function addHooksToPolicy(policy: string, all: readonly ExtractedHook[], from: string): string {
  const taken = all.filter(movesToPolicy)
  if (taken.length === 0) return policy
  const document = parseDocument(policy)
  const root = document.contents
  const end = policy.includes('\r\n') ? '\r\n' : '\n'
  const heading = [`moved here from ${from} by ${IMPORT_MARK}`]
  const lines = taken.map((hook, nth) => renderHookLines(hook, nth === 0 ? heading : []))
  const block = (indent: string): string =>
    lines.flatMap(each => each.map(line => (line === '' ? '' : indent + line))).join(end) + end
  if (root === null) return `${endWithNewline(policy, end)}hooks:${end}${block('  ')}`
  if (!isMap(root) || root.flow) return addHooksByDocument(policy, taken)
  const pair = root.items.find(({ key }) => String(key) === 'hooks')
  if (!pair) return `${endWithNewline(policy, end)}${policy.trim() === '' ? '' : end}hooks:${end}${block('  ')}`
  const list = pair.value
  const [first] = isSeq(list) && !list.flow ? list.items : []
  const range = isSeq(list) ? list.range : undefined
  if (!isSeq(list) || list.flow || !first || !range) return addHooksByDocument(policy, taken)
  const at = policy.lastIndexOf('\n', range[0] - 1) + 1
  const indent = /^[ \t]*/.exec(policy.slice(at))?.[0] ?? ''
  return endWithNewline(policy.slice(0, range[1]), end) + block(indent) + policy.slice(range[1])
}

/** Adds a line end if the last line has none. */
const endWithNewline = (text: string, end: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}${end}`

function renderHookLines({ hook, comments }: ExtractedHook, heading: readonly string[]): readonly string[] {
  const commentLines = [...heading, ...comments]
    .flatMap(text => text.split('\n'))
    .map(line => `# ${line.replace(/^[\s*]+/, '')}`)
  return [...commentLines, ...stringify([hook], { lineWidth: 0, flowCollectionPadding: false }).trimEnd().split('\n')]
}

/** A flow-style list cannot be extended line by line; here the document is rewritten, and only its content stays. */
function addHooksByDocument(policy: string, taken: readonly ExtractedHook[]): string {
  const document = parseDocument(policy)
  const given = document.getIn(['hooks'])
  if (isSeq(given)) for (const { hook } of taken) given.add(document.createNode(hook))
  else document.setIn(['hooks'], document.createNode(taken.map(({ hook }) => hook)))
  return document.toString({ lineWidth: 0 })
}

/** Removes hooks that are still as they were added, with the comments above them. */
export function removeHooksFromPolicy(policy: string, hooks: readonly ImportedHook[]): string {
  const wanted = hooks.map(hook => JSON.stringify(hook))
  const document = parseDocument(policy)
  const list = document.errors.length > 0 ? undefined : document.getIn(['hooks'])
  const at = isSeq(list)
    ? list.items.findIndex(value => wanted.includes(JSON.stringify(isMap(value) ? value.toJSON() : value)))
    : -1
  const item = isSeq(list) ? list.items[at] : undefined
  if (!isSeq(list) || !isMap(item) || !item.range) return policy
  if (!list.flow && !item.flow)
    return removeHooksFromPolicy(removeLines(policy, item.range, list.items.length === 1), hooks)
  document.deleteIn(list.items.length === 1 ? ['hooks'] : ['hooks', at])
  return removeHooksFromPolicy(isEmptyMap(document.contents) ? '' : document.toString({ lineWidth: 0 }), hooks)
}

const isEmptyMap = (node: unknown): boolean => isMap(node) && node.items.length === 0

function removeLines(policy: string, [start, end]: readonly [number, number, number], isLast: boolean): string {
  let from = policy.lastIndexOf('\n', start - 1) + 1
  const to = policy[end - 1] === '\n' ? end : policy.indexOf('\n', end) + 1 || policy.length
  const above = (): string => policy.slice(policy.lastIndexOf('\n', from - 2) + 1, from)
  const mark = from
  while (from > 0 && /^[ \t]*#/.test(above())) {
    from -= above().length
    if (policy.slice(from, mark).includes(IMPORT_MARK)) break
  }
  // comments that are not certainly ours stay
  if (!policy.slice(from, mark).includes(IMPORT_MARK)) from = mark
  if (isLast && /^hooks:\s*$/.test(above())) {
    from -= above().length
    if (from > 0 && /^\r?\n$/.test(above())) from -= above().length
  }
  return policy.slice(0, from) + policy.slice(to)
}
