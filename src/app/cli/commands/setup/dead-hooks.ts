import {
  type CanaryResult,
  displayPath,
  type InstallManifest,
  type InstallPaths,
  type InstallPlan,
  revertChanges,
  withInstallLock,
} from '../../../install/index.ts'

/** Removes hooks that this `init` registered but that do not start. Returns lines that report it. */
export function unregisterDeadHooks(
  outcomes: readonly CanaryResult[],
  plan: InstallPlan,
  before: InstallManifest,
  paths: InstallPaths,
): string {
  return outcomes
    .filter(({ isDead }) => isDead)
    .map(({ client, file, why = 'no answer' }) => {
      const changes = plan.changes.filter(
        change =>
          change.client === client && change.file === file && (change.kind === 'hooks' || change.kind === 'plugin'),
      )
      const label = displayPath(file, paths)
      if (changes.length === 0) return `Broken ${label} already had a hook, and it does not work: ${why}\n`
      withInstallLock(paths.state, () => revertChanges(changes, before, paths.state))
      return `Undone ${label} was restored, because its hook does not work: ${why}\n`
    })
    .join('')
}
