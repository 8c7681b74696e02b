import { agentVersionsCheck } from './checks/hooks/agent-versions.ts'
import { clientNameCheck } from './checks/hooks/client-name.ts'
import { disablingSettingsCheck } from './checks/hooks/disabling-settings.ts'
import { foreignHooksCheck } from './checks/hooks/foreign-hooks.ts'
import { hookOutputCheck } from './checks/hooks/hook-output.ts'
import { hookProgramsCheck } from './checks/hooks/hook-programs.ts'
import { hooksReplacedByPackCheck } from './checks/hooks/hooks-replaced-by-pack.ts'
import { matchersCheck } from './checks/hooks/matchers.ts'
import { mcpServersCheck } from './checks/hooks/mcp-servers.ts'
import { registrationCheck } from './checks/hooks/registration.ts'
import { settingsCheck } from './checks/hooks/settings.ts'
import { timeoutsCheck } from './checks/hooks/timeouts.ts'
import { activeBypassesCheck } from './checks/policy/active-bypasses.ts'
import { exportedFilesCheck } from './checks/policy/exported-files.ts'
import { missingAgentsCheck } from './checks/policy/missing-agents.ts'
import { pathShimCheck } from './checks/policy/path-shim.ts'
import { policyCheck } from './checks/policy/policy.ts'
import { routesCheck } from './checks/policy/routes.ts'
import { staleDocsCheck } from './checks/policy/stale-docs.ts'
import { daemonCheck, nativeHookCheck, spoolCheck } from './checks/program/daemon.ts'
import { programCopyCheck } from './checks/program/program-copy.ts'
import { diskCheck, storeCheck } from './checks/program/store.ts'
import type { DoctorCheck, DoctorContext } from './context.ts'
import type { DoctorCheckResult } from './finding.ts'
import { findInstalledAgents } from './installed-agents.ts'
import { readProgramVersion } from './read/program-version.ts'

export { findBrokenProgram } from './broken-program.ts'
export { type DoctorContext, type InstalledAgent, ownHooksOf, unloadedFilesOf } from './context.ts'
export { type DisabledHooksReason, findDisabledHooksReason } from './disabled-hooks.ts'
export { type DoctorCheckResult, type DoctorFinding, type FindingGroup, groupByCause } from './finding.ts'
export { type HookInstallation, hookInstallationText, inspectHookInstallation } from './installation.ts'
export { findInstalledAgents } from './installed-agents.ts'
export { LIVE_FINDING_IDS, type LiveProof, runLiveProofs } from './live/index.ts'
export { findMissingAgents, missingAgentText } from './missing-agents.ts'
export { findUnwritable } from './read/writable.ts'

/** In the order of the report: problems that disable everything come first. */
export const doctorChecks: readonly DoctorCheck[] = [
  settingsCheck,
  registrationCheck,
  clientNameCheck,
  disablingSettingsCheck,
  hookProgramsCheck,
  hookOutputCheck,
  timeoutsCheck,
  matchersCheck,
  hooksReplacedByPackCheck,
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
  mcpServersCheck,
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
  return { versionOf, ...given, agents: findInstalledAgents({ root, home: folders.home, env, state: folders.state }) }
}

/** Runs every check. A check that throws becomes a finding and does not stop the others. */
export const runDoctorChecks = (context: DoctorContext): readonly DoctorCheckResult[] =>
  doctorChecks.map(({ about, look }) => {
    try {
      return { about, findings: look(context) }
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error)
      const effect = `this check failed: ${about}`
      return {
        about,
        findings: [{ id: 'CHECK-FAILED', severity: 'problem', effect, found, fix: 'report this line as a bug' }],
      }
    }
  })
