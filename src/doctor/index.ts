import { agentsHere } from './agents.ts'
import { askVersion } from './ask-version.ts'
import type { Case, Check } from './case.ts'
import { called } from './checks/called.ts'
import { copy } from './checks/copy.ts'
import { delegates } from './checks/delegates.ts'
import { exportedFiles } from './checks/exports.ts'
import { lifted } from './checks/lifted.ts'
import { matchers } from './checks/matchers.ts'
import { others } from './checks/others.ts'
import { paths } from './checks/paths.ts'
import { policy } from './checks/policy.ts'
import { registered } from './checks/registered.ts'
import { daemon, nativeHooks, spool } from './checks/resident.ts'
import { routes } from './checks/routes.ts'
import { settings } from './checks/settings.ts'
import { stale } from './checks/stale.ts'
import { disk, store } from './checks/store.ts'
import { switches } from './checks/switches.ts'
import { timeouts } from './checks/timeouts.ts'
import { versions } from './checks/versions.ts'
import { word } from './checks/word.ts'
import type { Looked } from './finding.ts'

export { agentsHere } from './agents.ts'
export { type Agent, type Case, lostFiles, oursOf } from './case.ts'
export { type Finding, type Looked, type Shown, settled } from './finding.ts'
export { LIVE_IDS, type Proof, proveAll } from './live/index.ts'
export { missingAgents } from './missing-agents.ts'
export { brokenProgram } from './program.ts'
export { type Resident, residentOf, residentText } from './resident.ts'
export { type Silence, silencedBy } from './silenced.ts'
export { unwritable } from './writable.ts'

/** In the order in which they are told: what stops everything first. */
export const checks: readonly Check[] = [
  settings,
  registered,
  called,
  switches,
  paths,
  timeouts,
  matchers,
  lifted,
  policy,
  routes,
  delegates,
  exportedFiles,
  stale,
  word,
  store,
  disk,
  spool,
  copy,
  nativeHooks,
  daemon,
  versions,
  others,
]

type Given = Omit<Case, 'agents' | 'versionOf'> & Partial<Pick<Case, 'versionOf'>>

export function openCase(given: Given): Case {
  const { env, root, folders } = given
  const versionsSeen = new Map<string, string | undefined>()
  const versionOf = (program: string): string | undefined => {
    if (!versionsSeen.has(program)) versionsSeen.set(program, askVersion(program, env))
    return versionsSeen.get(program)
  }
  return { versionOf, ...given, agents: agentsHere({ root, home: folders.home, env }) }
}

/** Every look, whatever it finds; one that fails says so and stops no other. */
export const examineAll = (one: Case): readonly Looked[] =>
  checks.map(({ about, look }) => {
    try {
      return { about, findings: look(one) }
    } catch (error) {
      const saw = error instanceof Error ? error.message : String(error)
      const cost = `nobody can tell: ${about}`
      return {
        about,
        findings: [{ id: 'CHECK-FAILED', weight: 'problem', cost, saw, fix: 'report it, with this line' }],
      }
    }
  })
