import { LAYERS } from '../../engine/index.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { OrchestratorSettings, PolicySettings } from '../policy.ts'
import type { OrchestratorDoc, SettingsDoc } from '../schema/policy.ts'
import { type CompileContext, reportWarning, toList } from './context.ts'

export const DEFAULT_SETTINGS: PolicySettings = { onError: 'open', budgetMs: 2000, expiryHours: 12 }

/** Strongest layer first: it wins for each key. But `onError: closed` in any layer wins. */
export function mergeSettings(layers: readonly SettingsDoc[]): PolicySettings {
  const first = <K extends keyof SettingsDoc>(key: K) => layers.find(layer => layer[key] !== undefined)?.[key]
  const expiry = first('expiry')
  return {
    onError: layers.some(layer => layer.onError === 'closed') ? 'closed' : DEFAULT_SETTINGS.onError,
    budgetMs: first('budgetMs') ?? DEFAULT_SETTINGS.budgetMs,
    expiryHours: expiry === undefined ? DEFAULT_SETTINGS.expiryHours : hoursOf(expiry),
    ...retentionOf(first('keepDays'), first('keepMb')),
    ...mergeOrchestrators(layers.flatMap(layer => layer.orchestrator ?? [])),
  }
}

/** Warns of unknown backends. Otherwise the mistake would show only when there is a task to do. */
export function checkBackends(context: CompileContext, { orchestrator }: SettingsDoc): void {
  if (!orchestrator) return
  const known = context.input.clients.flatMap(({ backend }) => backend ?? [])
  const look = (holder: object, key: string, names: readonly string[]) => {
    for (const name of names.filter(text => !known.includes(text)))
      reportWarning(context, holder, key, `there is no backend \`${name}\``, {
        help: didYouMean(name, known) ?? `there are ${known.join(', ')}`,
      })
  }
  look(orchestrator, 'backends', toList(orchestrator.backends ?? []))
  look(orchestrator, 'args', Object.keys(orchestrator.args ?? {}))
  for (const command of Object.values(orchestrator.commands ?? {}))
    look(command, 'backend', toList(command.backend ?? []))
}

/** Resolves the gates that yield to an approval to ids. A layer can name its own gates and gates of weaker layers. */
export function resolveYieldingGates(context: CompileContext, doc: SettingsDoc): SettingsDoc {
  const { orchestrator } = doc
  if (orchestrator?.lifts === undefined) return doc
  const isBelow = ({ layer }: { readonly layer: (typeof LAYERS)[number] }) =>
    LAYERS.indexOf(layer) <= LAYERS.indexOf(context.unit.layer)
  const own = context.names.filter(isBelow)
  const lifts = toList(orchestrator.lifts).flatMap(name => {
    const found = own.filter(gate => gate.name === name || gate.id === name)
    if (found.length === 0)
      reportWarning(context, orchestrator, 'lifts', `there is no gate \`${name}\` that an approval could lift`, {
        help: didYouMean(
          name,
          own.map(gate => gate.name),
        ),
      })
    return found.map(gate => gate.id)
  })
  return { ...doc, orchestrator: { ...orchestrator, lifts } }
}

export function mergeOrchestrators(docs: readonly OrchestratorDoc[]): { readonly orchestrator?: OrchestratorSettings } {
  if (docs.length === 0) return {}
  const first = <K extends keyof OrchestratorDoc>(key: K) => docs.find(doc => doc[key] !== undefined)?.[key]
  const backends = first('backends')
  const minutes = first('minutes')
  const log = first('log')
  const args = Object.entries(first('args') ?? {}).map(([name, words]) => [name, toList(words)])
  // each command comes from the strongest layer that has it
  const commands = Object.assign({}, ...docs.map(doc => doc.commands ?? {}).reverse())
  return {
    orchestrator: {
      lifts: [...new Set(docs.flatMap(doc => toList(doc.lifts ?? [])))],
      ...(backends !== undefined && { backends: toList(backends) }),
      ...(minutes !== undefined && { minutes }),
      ...(args.length > 0 && { args: Object.fromEntries(args) }),
      ...(log !== undefined && { log }),
      ...(Object.keys(commands).length > 0 && { commands }),
    },
  }
}

const retentionOf = (days: number | undefined, mb: number | undefined): Pick<PolicySettings, 'keeps'> =>
  days === undefined && mb === undefined
    ? {}
    : { keeps: { ...(days !== undefined && { days }), ...(mb !== undefined && { bytes: mb * 1024 * 1024 }) } }

const HOURS: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24 }

const hoursOf = (expiry: number | string): number =>
  typeof expiry === 'number' ? expiry : Number(expiry.slice(0, -1)) * (HOURS[expiry.slice(-1)] ?? 1)
