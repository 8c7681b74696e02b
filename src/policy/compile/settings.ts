import { LAYERS } from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import type { Orchestrator, Settings } from '../policy.ts'
import type { OrchestratorDoc, SettingsDoc } from '../schema/policy.ts'
import { type Context, listOf, warn } from './context.ts'

export const DEFAULTS: Settings = { onError: 'open', budgetMs: 2000, expiryHours: 12 }

/** Strongest layer first: it wins for each key, but `closed` is closed whoever says it. */
export function mergeSettings(layers: readonly SettingsDoc[]): Settings {
  const first = <K extends keyof SettingsDoc>(key: K) => layers.find(one => one[key] !== undefined)?.[key]
  const expiry = first('expiry')
  return {
    onError: layers.some(one => one.onError === 'closed') ? 'closed' : DEFAULTS.onError,
    budgetMs: first('budgetMs') ?? DEFAULTS.budgetMs,
    expiryHours: expiry === undefined ? DEFAULTS.expiryHours : hoursOf(expiry),
    ...keepsOf(first('keepDays'), first('keepMb')),
    ...orchestratorOf(layers.flatMap(one => one.orchestrator ?? [])),
  }
}

/** Whom a task is given to: a name that nobody answers to would be told only when there is work to do. */
export function checkBackends(context: Context, { orchestrator }: SettingsDoc): void {
  if (!orchestrator) return
  const known = context.input.clients.flatMap(({ backend }) => backend ?? [])
  const look = (holder: object, key: string, names: readonly string[]) => {
    for (const name of names.filter(one => !known.includes(one)))
      warn(context, holder, key, `there is no backend \`${name}\``, {
        help: didYouMean(name, known) ?? `there are ${known.join(', ')}`,
      })
  }
  look(orchestrator, 'backends', listOf(orchestrator.backends ?? []))
  look(orchestrator, 'args', Object.keys(orchestrator.args ?? {}))
  for (const command of Object.values(orchestrator.commands ?? {}))
    look(command, 'backend', listOf(command.backend ?? []))
}

/** The gates that yield to an approval, by their ids: a layer speaks for its own and for those of weaker ones. */
export function withLifts(context: Context, doc: SettingsDoc): SettingsDoc {
  const { orchestrator } = doc
  if (orchestrator?.lifts === undefined) return doc
  const isBelow = ({ layer }: { readonly layer: (typeof LAYERS)[number] }) =>
    LAYERS.indexOf(layer) <= LAYERS.indexOf(context.unit.layer)
  const own = context.names.filter(isBelow)
  const lifts = listOf(orchestrator.lifts).flatMap(name => {
    const found = own.filter(one => one.name === name || one.id === name)
    if (found.length === 0)
      warn(context, orchestrator, 'lifts', `there is no gate \`${name}\` here that could be lifted`, {
        help: didYouMean(
          name,
          own.map(one => one.name),
        ),
      })
    return found.map(one => one.id)
  })
  return { ...doc, orchestrator: { ...orchestrator, lifts } }
}

export function orchestratorOf(docs: readonly OrchestratorDoc[]): { readonly orchestrator?: Orchestrator } {
  if (docs.length === 0) return {}
  const first = <K extends keyof OrchestratorDoc>(key: K) => docs.find(one => one[key] !== undefined)?.[key]
  const backends = first('backends')
  const minutes = first('minutes')
  const log = first('log')
  const args = Object.entries(first('args') ?? {}).map(([name, words]) => [name, listOf(words)])
  // each command is of the strongest layer that has it
  const commands = Object.assign({}, ...docs.map(one => one.commands ?? {}).reverse())
  return {
    orchestrator: {
      lifts: [...new Set(docs.flatMap(one => listOf(one.lifts ?? [])))],
      ...(backends !== undefined && { backends: listOf(backends) }),
      ...(minutes !== undefined && { minutes }),
      ...(args.length > 0 && { args: Object.fromEntries(args) }),
      ...(log !== undefined && { log }),
      ...(Object.keys(commands).length > 0 && { commands }),
    },
  }
}

const keepsOf = (days: number | undefined, mb: number | undefined): Pick<Settings, 'keeps'> =>
  days === undefined && mb === undefined
    ? {}
    : { keeps: { ...(days !== undefined && { days }), ...(mb !== undefined && { bytes: mb * 1024 * 1024 }) } }

const HOURS: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24 }

const hoursOf = (expiry: number | string): number =>
  typeof expiry === 'number' ? expiry : Number(expiry.slice(0, -1)) * (HOURS[expiry.slice(-1)] ?? 1)
