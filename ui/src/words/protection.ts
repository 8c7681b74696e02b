import type { DashboardStatus } from '../../../src/app/dashboard/api.ts'
import { plural } from './number.ts'

type Gates = Pick<DashboardStatus['policy'], 'gates' | 'watching' | 'observing'>

const does = (n: number, verb: string): string => `${n} ${n === 1 ? `${verb}s` : verb}`

/** `3 of 5 gates block, 1 warns, 1 observes`: the gates by mode. */
export function protectionText({ gates, watching, observing }: Gates): string {
  if (gates === 0) return 'no gates'
  const blocking = gates - watching
  const warning = watching - observing
  return [
    `${blocking} of ${plural(gates, 'gate')} ${blocking === 1 ? 'blocks' : 'block'}`,
    ...(warning > 0 ? [does(warning, 'warn')] : []),
    ...(observing > 0 ? [does(observing, 'observe')] : []),
  ].join(', ')
}
