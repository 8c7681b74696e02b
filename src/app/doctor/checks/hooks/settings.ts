import type { DoctorCheck, InstalledAgent, SettingsFault } from '../../context.ts'
import { ownHooksOf } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Settings files that an agent cannot read, or reads differently than intended. */
export const settingsCheck: DoctorCheck = {
  ids: ['SETTINGS-UNREADABLE', 'SETTINGS-MALFORMED', 'SETTINGS-NOT-LOADED', 'HOOK-SHAPE', 'HOOK-EVENT-UNKNOWN'],
  about: 'the agents’ settings, and the shape of each hook',
  look: ({ agents }) => agents.flatMap(agent => agent.faults.map(fault => findingOfFault(fault, agent))),
}

function findingOfFault({ kind, file, line, found, ours, fix }: SettingsFault, agent: InstalledAgent): DoctorFinding {
  const { client, checkup } = agent
  const place = { client: client.id, file, ...(line !== undefined && { line }), found }
  const init = `signalbox init --client ${client.id}`
  const isOnlyHope = ownHooksOf(agent).length === 0
  switch (kind) {
    case 'unreadable':
      return {
        ...{ id: 'SETTINGS-UNREADABLE', severity: 'problem', ...place },
        effect: `it is unknown whether ${client.title} calls Signalbox`,
        fix: fix ?? `chmod u+r ${file}`,
      }
    case 'malformed':
      return {
        ...{ id: 'SETTINGS-MALFORMED', severity: 'problem', ...place },
        effect: `${client.title} cannot read its settings: no hook in them runs`,
        fix: fix ?? `fix that line; then ${init}`,
      }
    case 'unloaded':
      return {
        ...{ id: 'SETTINGS-NOT-LOADED', severity: ours || isOnlyHope ? 'problem' : 'note', ...place },
        effect: `${client.title} ignores the whole file or does not start: no hook in it runs`,
        fix: `${/`/.test(found) ? 'fix it' : 'remove it'}; then ${init}`,
      }
    case 'event':
      return {
        ...{ id: 'HOOK-EVENT-UNKNOWN', severity: ours ? 'problem' : 'note', ...place },
        effect: `${client.title} never runs this hook`,
        fix: ours ? `remove it; then ${init}` : 'rename it or remove it',
      }
    case 'shape':
      return {
        ...{ id: 'HOOK-SHAPE', severity: 'problem', ...place },
        effect: `${client.title} ${checkup.broken}`,
        fix: ours && isOnlyHope ? `remove it; then ${init}` : 'fix it or remove it',
      }
  }
}
