import { type DoctorCheck, type DoctorContext, type InstalledAgent, ownHooksOf } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { lineOfKey } from '../../read/key-line.ts'

/** Settings of the agents that keep registered hooks from running. */
export const disablingSettingsCheck: DoctorCheck = {
  ids: ['HOOKS-DISABLED', 'HOOKS-MANAGED-ONLY', 'FOLDER-UNTRUSTED', 'HOOK-UNREVIEWED'],
  about: 'agent settings that turn hooks off',
  look: context => context.agents.flatMap(agent => findDisablingSettings(agent, context)),
}

function findDisablingSettings(agent: InstalledAgent, { root, folders, env }: DoctorContext): readonly DoctorFinding[] {
  const { client, checkup, files } = agent
  const ours = ownHooksOf(agent)
  return checkup.switches({ files, root, home: folders.home, env }).flatMap((setting): readonly DoctorFinding[] => {
    const silent = ours.filter(hook => setting.silences.includes(hook.scope) && (setting.only?.(hook) ?? true))
    const [first] = silent
    if (!first) return []
    const loud = ours.some(hook => !silent.includes(hook) && checkup.gates.includes(hook.event))
    const line =
      setting.line ?? (setting.key && lineOfKey(files.find(({ file }) => file === setting.file)?.text, setting.key))
    // a setting without a line is reported at the hook that it disables
    const place = line === undefined ? { file: first.file, line: first.line } : { file: setting.file, line }
    return [
      {
        ...{
          id: setting.id,
          severity: setting.severity ?? 'problem',
          client: client.id,
          ...place,
          cause: `${setting.file} ${setting.found}`,
        },
        effect:
          setting.severity === 'note'
            ? `${client.title} calls may pass unchecked`
            : loud
              ? `${client.title} does not run this hook; another one is still active`
              : `every ${client.title} call passes unchecked`,
        found: setting.found,
        fix: setting.fix,
      },
    ]
  })
}
