import { isAbsolute } from 'node:path'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { GateExport } from '../../policy.ts'
import type { RoutingSessionStateDoc } from '../../schema/export.ts'
import { type CompileContext, mayLoosen, reportError, reportWarning, toList } from '../context.ts'

/** Compiles an export of this document; null until trusted. */
export function compileExport(
  context: CompileContext,
  holder: object,
  feature: GateExport['feature'],
  doc: RoutingSessionStateDoc,
): GateExport | null {
  const { layer, prefix } = context.unit
  const gate = `${prefix}/${doc.gate}`
  const own = context.names.filter(name => name.stateful && name.id === `${prefix}/${name.name}`).map(name => name.name)
  if (!own.includes(doc.gate))
    reportError(context, doc, 'gate', `there is no gate \`${doc.gate}\` with a state to export`, {
      help: didYouMean(doc.gate, own),
    })
  for (const key of ['state', 'errors'] as const) checkExportPath(context, doc, key)
  checkClients(context, doc)
  if (!mayLoosen(context, holder, feature, `export \`${feature}\``)) return null
  return {
    layer,
    feature,
    gate,
    on: toList(doc.on),
    ...(doc.state === undefined ? {} : { state: doc.state }),
    ...(doc.errors === undefined ? {} : { errors: doc.errors }),
  }
}

/** Symbolic links are checked when the file is written, because they may change. */
function checkExportPath(context: CompileContext, doc: RoutingSessionStateDoc, key: 'state' | 'errors'): void {
  const place = doc[key]
  if (place === undefined) return
  const outside = isAbsolute(place) || place.startsWith('~') || place.split(/[\\/]/).includes('..')
  if (outside || /[\\/]$/.test(place))
    reportError(context, doc, key, `\`${place}\` must be a file of the project, named from its root`)
}

function checkClients(context: CompileContext, doc: RoutingSessionStateDoc): void {
  const known = context.input.clients.map(client => client.id)
  for (const id of toList(doc.on))
    if (!known.includes(id))
      reportWarning(context, doc, 'on', `there is no client \`${id}\``, { help: didYouMean(id, known) })
}
