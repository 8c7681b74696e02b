import type { Condition, TextPattern } from '../../../engine/index.ts'
import type { SubHook } from '../../policy.ts'
import type { HookDoc } from '../../schema/policy.ts'
import { type CompileContext, fileLabel, mayLoosen, reportWarning, toList } from '../context.ts'
import { checkRegex } from '../values/regex.ts'
import { findMissingScripts, resolveRunLine } from '../values/run-line.ts'
import { compileTools, eachItem } from '../values/value.ts'
import { expandEventKinds } from './condition.ts'

/** Compiles a sub-hook. It runs code, so the result is null until trusted. */
export function compileSubHook(context: CompileContext, doc: HookDoc): SubHook | null {
  const events = expandEventKinds(doc.event)
  for (const { word, file } of findMissingScripts(doc.run, context.unit.folder, context.files))
    reportWarning(context, doc, 'run', `\`${word}\` does not exist`, {
      help: `looked for ${fileLabel(file, context.input)}`,
    })
  const event: Condition = { key: 'event', in: events }
  const tool: Condition[] =
    doc.tool === undefined ? [] : [{ key: 'tool', in: compileTools(context, doc, 'tool', doc.tool) }]
  const hook: SubHook = {
    layer: context.unit.layer,
    events,
    when: tool.length === 0 ? event : { all: [event, ...tool] },
    ...(doc.client !== undefined && { clients: toList(doc.client) }),
    ...(doc.called !== undefined && { called: toList(doc.called) }),
    ...(doc.matcher !== undefined && { matcher: compileMatchers(context, doc, doc.matcher) }),
    run: resolveRunLine(doc.run, context.unit.folder, context.files),
    timeoutMs: doc.timeoutMs ?? 5000,
    onError: doc.onError ?? 'open',
  }
  return mayLoosen(context, doc, 'run', `hook \`${doc.run}\``) ? hook : null
}

/** Matches names exactly, unlike `tool`: a matcher is written for one client's own tool names. */
const compileMatchers = (
  context: CompileContext,
  doc: HookDoc,
  value: NonNullable<HookDoc['matcher']>,
): readonly TextPattern[] =>
  [...eachItem(doc, 'matcher', value)].flatMap(([item]): TextPattern[] => {
    if (typeof item === 'string') return [{ is: item }]
    return checkRegex(context, item, 'regex', item.regex) ? [{ regex: `(?-i:${item.regex})` }] : []
  })
