import { type Agent, type Case, gatesOf, type Registration } from './case.ts'
import { isBefore } from './is-before.ts'

/** What it costs that the command of this hook cannot be run: the entry that can refuse may say that nothing passes then. */
export function costOfFailure(hook: Registration, agent: Agent, { versionOf }: Pick<Case, 'versionOf'>): string {
  const { client, checkup, program } = agent
  const open = `every ${client.title} call passes unchecked`
  const closed = `every ${client.title} call is refused`
  if (checkup.closes === 'always') return closed
  const { by: [key, value] = [''], since } = checkup.closes ?? {}
  const gates = gatesOf(agent).filter(one => one.file === hook.file && one.command === hook.command)
  if (gates.length === 0 || !gates.every(({ handler }) => handler[key] !== undefined && handler[key] === value))
    return open
  if (since === undefined) return closed
  const version = program === undefined ? undefined : versionOf(program)
  if (version === undefined) return `${closed}; before ${since} it passes unchecked`
  return isBefore(version, since) ? open : closed
}
