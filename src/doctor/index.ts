import { findInstalledAgents } from './agents.ts'
import { readProgramVersion } from './ask-version.ts'
import type { DoctorCheck, DoctorContext } from './case.ts'
import { clientNameCheck } from './checks/called.ts'
import { programCopyCheck } from './checks/copy.ts'
import { missingAgentsCheck } from './checks/delegates.ts'
import { exportedFilesCheck } from './checks/exports.ts'
import { activeBypassesCheck } from './checks/lifted.ts'
import { matchersCheck } from './checks/matchers.ts'
import { foreignHooksCheck } from './checks/others.ts'
import { hookProgramsCheck } from './checks/paths.ts'
import { policyCheck } from './checks/policy.ts'
import { registrationCheck } from './checks/registered.ts'
import { daemonCheck, nativeHookCheck, spoolCheck } from './checks/resident.ts'
import { routesCheck } from './checks/routes.ts'
import { settingsCheck } from './checks/settings.ts'
import { staleDocsCheck } from './checks/stale.ts'
import { diskCheck, storeCheck } from './checks/store.ts'
import { disablingSettingsCheck } from './checks/switches.ts'
import { timeoutsCheck } from './checks/timeouts.ts'
import { agentVersionsCheck } from './checks/versions.ts'
import { pathShimCheck } from './checks/word.ts'
import type { DoctorCheckResult } from './finding.ts'

export { findInstalledAgents } from './agents.ts'
export { type DoctorContext, type InstalledAgent, ownHooksOf, unloadedFilesOf } from './case.ts'
export { type DoctorCheckResult, type DoctorFinding, type FindingGroup, groupByCause } from './finding.ts'
export { LIVE_FINDING_IDS, type LiveProof, runLiveProofs } from './live/index.ts'
export { findMissingAgents } from './missing-agents.ts'
export { findBrokenProgram } from './program.ts'
export { type HookInstallation, hookInstallationText, inspectHookInstallation } from './resident.ts'
export { type DisabledHooksReason, findDisabledHooksReason } from './silenced.ts'
export { findUnwritable } from './writable.ts'

/** In the order in which they are told: what stops everything first. */
export const doctorChecks: readonly DoctorCheck[] = [
  settingsCheck,
  registrationCheck,
  clientNameCheck,
  disablingSettingsCheck,
  hookProgramsCheck,
  timeoutsCheck,
  matchersCheck,
  activeBypassesCheck,
  policyCheck,
  routesCheck,
  missingAgentsCheck,
  exportedFilesCheck,
  staleDocsCheck,
  pathShimCheck,
  storeCheck,
  diskCheck,
  spoolCheck,
  programCopyCheck,
  nativeHookCheck,
  daemonCheck,
  agentVersionsCheck,
  foreignHooksCheck,
]

type ContextInput = Omit<DoctorContext, 'agents' | 'versionOf'> & Partial<Pick<DoctorContext, 'versionOf'>>

export function createDoctorContext(given: ContextInput): DoctorContext {
  const { env, root, folders } = given
  const versionsSeen = new Map<string, string | undefined>()
  const versionOf = (program: string): string | undefined => {
    if (!versionsSeen.has(program)) versionsSeen.set(program, readProgramVersion(program, env))
    return versionsSeen.get(program)
  }
  return { versionOf, ...given, agents: findInstalledAgents({ root, home: folders.home, env }) }
}

/** Every look, whatever it finds; one that fails says so and stops no other. */
export const runDoctorChecks = (one: DoctorContext): readonly DoctorCheckResult[] =>
  doctorChecks.map(({ about, look }) => {
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
