import { type DoctorContext, hooksThatCanDeny, type InstalledAgent, type RegisteredHook } from './context.ts'
import { isOlderVersion } from './read/compare-versions.ts'

/** What happens if this hook's command cannot be run: calls pass, or the entry makes the agent deny them. */
export function failureCostOf(
  hook: RegisteredHook,
  agent: InstalledAgent,
  { versionOf }: Pick<DoctorContext, 'versionOf'>,
): string {
  const { client, checkup, program } = agent
  const open = `every ${client.title} call passes unchecked`
  const closed = `every ${client.title} call is denied`
  if (checkup.closes === 'always') return closed
  const { by: [key, value] = [''], since } = checkup.closes ?? {}
  const gates = hooksThatCanDeny(agent).filter(
    registeredHook => registeredHook.file === hook.file && registeredHook.command === hook.command,
  )
  if (gates.length === 0 || !gates.every(({ handler }) => handler[key] !== undefined && handler[key] === value))
    return open
  if (since === undefined) return closed
  const version = program === undefined ? undefined : versionOf(program)
  if (version === undefined) return `${closed}; before ${since} it passes unchecked`
  return isOlderVersion(version, since) ? open : closed
}
