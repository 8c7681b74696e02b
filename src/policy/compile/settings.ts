import type { Settings } from '../policy.ts'
import type { SettingsDoc } from '../schema/policy.ts'

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
  }
}

const keepsOf = (days: number | undefined, mb: number | undefined): Pick<Settings, 'keeps'> =>
  days === undefined && mb === undefined
    ? {}
    : { keeps: { ...(days !== undefined && { days }), ...(mb !== undefined && { bytes: mb * 1024 * 1024 }) } }

const HOURS: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24 }

const hoursOf = (expiry: number | string): number =>
  typeof expiry === 'number' ? expiry : Number(expiry.slice(0, -1)) * (HOURS[expiry.slice(-1)] ?? 1)
