import type { Condition, TextPattern } from '../../pattern/index.ts'
import type { Hook } from '../policy.ts'
import type { HookDoc } from '../schema/policy.ts'
import { kindsOf } from './condition.ts'
import { type Context, label, listOf, mayLoosen, warn } from './context.ts'
import { isRegex } from './regex.ts'
import { missingScripts, runLine } from './run-line.ts'
import { items, tools } from './value.ts'

/** A sub-hook runs code: null while it waits for trust. */
export function compileHook(context: Context, doc: HookDoc): Hook | null {
  const events = kindsOf(doc.event)
  for (const { word, file } of missingScripts(doc.run, context.unit.folder, context.files))
    warn(context, doc, 'run', `\`${word}\` does not exist`, { help: `looked for ${label(file, context.input)}` })
  const event: Condition = { key: 'event', in: events }
  const tool: Condition[] = doc.tool === undefined ? [] : [{ key: 'tool', in: tools(context, doc, 'tool', doc.tool) }]
  const hook: Hook = {
    layer: context.unit.layer,
    events,
    when: tool.length === 0 ? event : { all: [event, ...tool] },
    ...(doc.client !== undefined && { clients: listOf(doc.client) }),
    ...(doc.called !== undefined && { called: listOf(doc.called) }),
    ...(doc.matcher !== undefined && { matcher: matchers(context, doc, doc.matcher) }),
    run: runLine(doc.run, context.unit.folder, context.files),
    timeoutMs: doc.timeoutMs ?? 5000,
    onError: doc.onError ?? 'open',
  }
  return mayLoosen(context, doc, 'run', `hook \`${doc.run}\``) ? hook : null
}

/** Names to the letter, unlike `tool`: this is for a line that was made for one client's own words. */
const matchers = (context: Context, doc: HookDoc, value: NonNullable<HookDoc['matcher']>): readonly TextPattern[] =>
  [...items(doc, 'matcher', value)].flatMap(([item]): TextPattern[] => {
    if (typeof item === 'string') return [{ is: item }]
    return isRegex(context, item, 'regex', item.regex) ? [{ regex: `(?-i:${item.regex})` }] : []
  })
