import {
  labelOf,
  type Manifest,
  type Place,
  type Plan,
  type Probed,
  revertChanges,
  withLock,
} from '../install/index.ts'

/** Takes the hooks back that this `init` registered and that start nothing. Gives the lines that say so. */
export function unregisterDeadHooks(outcomes: readonly Probed[], plan: Plan, before: Manifest, place: Place): string {
  return outcomes
    .filter(({ isDead }) => isDead)
    .map(({ client, file, why = 'no answer' }) => {
      const changes = plan.changes.filter(
        one => one.client === client && one.file === file && (one.kind === 'hooks' || one.kind === 'plugin'),
      )
      const label = labelOf(file, place)
      if (changes.length === 0) return `Dead   the hook in ${label} was there before and does nothing: ${why}\n`
      withLock(place.state, () => revertChanges(changes, before, place.state))
      return `Undone ${label} is as it was before: the hook that was put there does nothing (${why})\n`
    })
    .join('')
}
