import type { Scope } from '../../clients/registers.ts'
import { readManifest, type Stale, staleFiles } from '../../install/index.ts'
import { type Agent, type Case, type Check, initOf, oursOf } from '../case.ts'
import type { Finding } from '../finding.ts'

/** Commands, skills, the router and the section that `init` made of the policy. */
export const stale: Check = {
  ids: ['STALE-TEXT'],
  about: 'what agents are told of the policy',
  look: one => one.agents.flatMap(agent => found(agent, one)),
}

function found(agent: Agent, { policy, root, env, folders }: Case): readonly Finding[] {
  const { home, state } = folders
  const project = root === home ? undefined : root
  // a policy that is not loaded says nothing, and that is told
  if (policy.problems.length > 0) return []
  const manifest = readManifest(state)
  return staleFiles(agent.client, policy.program, { env, home, project }, manifest).map(one => {
    const kept = manifest.files.find(({ file }) => file === one.file)
    const fix = fixOf(one, agent, kept)
    return {
      id: 'STALE-TEXT',
      weight: 'note',
      client: agent.client.id,
      cost:
        one.why === 'taken'
          ? `${agent.client.title} does not have a command that the policy names`
          : `${agent.client.title} is told what the policy does not say`,
      file: one.file,
      saw: SEEN[one.why],
      fix,
      cause: fix,
    }
  })
}

const SEEN = {
  changed: 'the policy says something else by now',
  gone: 'the policy has no such command',
  taken: 'a file of your own has the name of a command of the policy, which is therefore not written',
}

/** `init` renews what nobody edited, and takes out what it has on record. */
function fixOf({ why, isEdited, file }: Stale, agent: Agent, kept: { readonly scope: Scope } | undefined): string {
  const init = initOf(agent, kept?.scope ?? oursOf(agent)[0]?.scope)
  if (why === 'taken') return `rename it, or the command in the policy; then ${init}`
  if (why === 'gone') return isEdited || !kept ? `rm '${file}'` : init
  return isEdited ? `you edited it: rm '${file}'; then ${init}` : init
}
