import type { Condition } from '../../pattern/index.ts'
import type { Hook } from '../policy.ts'
import type { HookDoc } from '../schema/policy.ts'
import { kindsOf } from './condition.ts'
import { type Context, label, mayLoosen, warn } from './context.ts'
import { missingScripts, runLine } from './run-line.ts'
import { tools } from './value.ts'

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
    run: runLine(doc.run, context.unit.folder, context.files),
    timeoutMs: doc.timeoutMs ?? 5000,
    onError: doc.onError ?? 'open',
  }
  return mayLoosen(context, doc, 'run', `hook \`${doc.run}\``) ? hook : null
}
