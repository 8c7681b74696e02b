import { join } from 'node:path'
import type { Client } from '../clients/index.ts'
import type { HookCall, Scope } from '../clients/registers.ts'
import { dataOf, type Place } from './place.ts'
import { quoted } from './quote.ts'

/** Our own two seconds, and as many again for a machine that is busy. */
const LEAST_MS = 10_000
const OWN_MS = 5000

/** Where the line of a client leads: the same words for ever, so that an agent which trusts a line need not be asked again. */
export const launcherIn = (data: string): string => join(data, 'bin', 'signalbox')

/** `longestHookMs`: what the slowest hook of the person's own may take. */
export function hookCall(scope: Scope, client: Pick<Client, 'projectEnv'>, place: Place, longestHookMs = 0): HookCall {
  const timeoutMs = Math.max(LEAST_MS, Math.ceil((longestHookMs + OWN_MS) / 1000) * 1000)
  if (scope !== 'project') {
    const launcher = launcherIn(dataOf(scope, place))
    // an event that comes by several registrations counts once: each says which one it is, the person's own is none
    const via = scope === 'managed' ? ' --via managed' : ''
    return { line: `${quoted(launcher)} hook${via}`, words: [launcher], timeoutMs }
  }
  const script = search(client.projectEnv)
  return { line: `sh -c ${quoted(script)} -`, words: ['sh', '-c', script, '-'], timeoutMs }
}

/**
 * No path of anybody's machine: from the project folder the client names, or from where it is, up to the launcher that is
 * committed with the project. Another agent may run the line without that variable. Where the launcher is gone the call passes, with a word.
 */
const search = (projectEnv: string | undefined): string =>
  [
    // a relative one has no folder above it: the search would never end
    projectEnv ? `case \${${projectEnv}-} in /*) d=$${projectEnv} ;; *) d=$PWD ;; esac` : 'd=$PWD',
    `until [ -f "$d/.signalbox/hook" ]; do [ "$d" ] || { echo "signalbox: no .signalbox/hook here" >&2; exit 0; }; d=\${d%/*}; done`,
    'exec sh "$d/.signalbox/hook" "$@"',
  ].join('; ')
