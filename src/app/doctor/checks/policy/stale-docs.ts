import type { SettingsScope } from '../../../../clients/settings.ts'
import { findStaleFiles, readManifest, type StaleFile } from '../../../install/index.ts'
import { type DoctorCheck, type DoctorContext, type InstalledAgent, initCommandFor, ownHooksOf } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Commands, skills, router and section that `init` generated from the policy. */
export const staleDocsCheck: DoctorCheck = {
  ids: ['STALE-TEXT'],
  about: 'texts for agents about the policy',
  look: context => context.agents.flatMap(agent => findStaleDocs(agent, context)),
}

function findStaleDocs(agent: InstalledAgent, { policy, root, env, folders }: DoctorContext): readonly DoctorFinding[] {
  const { home, state } = folders
  const project = root === home ? undefined : root
  // a policy that does not load has no texts; another check reports it
  if (policy.problems.length > 0) return []
  const manifest = readManifest(state)
  return findStaleFiles(agent.client, policy.program, { env, home, project }, manifest).map(staleFile => {
    const entry = manifest.files.find(({ file }) => file === staleFile.file)
    const fix = adviceFor(staleFile, agent, entry)
    return {
      id: 'STALE-TEXT',
      severity: 'note',
      client: agent.client.id,
      effect:
        staleFile.why === 'taken'
          ? `${agent.client.title} does not have a command that the policy names`
          : `${agent.client.title} reads a text that does not match the policy`,
      file: staleFile.file,
      found: REASON_TEXTS[staleFile.why],
      fix,
      cause: fix,
    }
  })
}

const REASON_TEXTS = {
  changed: 'the policy has changed since',
  gone: 'the policy has no such command',
  taken: 'your own file has the same name as a command of the policy, so the command is not written',
}

/** `init` updates files that nobody edited, and removes files in its manifest. */
function adviceFor(
  { why, isEdited, file }: StaleFile,
  agent: InstalledAgent,
  entry: { readonly scope: SettingsScope } | undefined,
): string {
  const init = initCommandFor(agent, entry?.scope ?? ownHooksOf(agent)[0]?.scope)
  if (why === 'taken') return `rename the file or the command in the policy; then ${init}`
  if (why === 'gone') return isEdited || !entry ? `rm '${file}'` : init
  return isEdited ? `you edited it: rm '${file}'; then ${init}` : init
}
