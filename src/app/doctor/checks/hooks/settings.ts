import type { DoctorCheck, InstalledAgent, SettingsFault } from '../../context.ts'
import { ownHooksOf } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Settings files that an agent cannot read, or reads differently than intended. */
export const settingsCheck: DoctorCheck = {
  ids: ['SETTINGS-UNREADABLE', 'SETTINGS-MALFORMED', 'SETTINGS-NOT-LOADED', 'HOOK-SHAPE', 'HOOK-EVENT-UNKNOWN'],
  about: 'the agents’ settings, and the shape of each hook',
  look: ({ agents }) => agents.flatMap(agent => agent.faults.map(fault => findingOfFault(fault, agent))),
}

function findingOfFault({ kind, file, line, saw, ours, fix }: SettingsFault, agent: InstalledAgent): DoctorFinding {
  const { client, checkup } = agent
  const place = { client: client.id, file, ...(line !== undefined && { line }), saw }
  const init = `signalbox init --client ${client.id}`
  const isOnlyHope = ownHooksOf(agent).length === 0
  switch (kind) {
    case 'unreadable':
      return {
        ...{ id: 'SETTINGS-UNREADABLE', weight: 'problem', ...place },
        cost: `nobody can tell whether ${client.title} calls Signalbox`,
        fix: fix ?? `chmod u+r ${file}`,
      }
    case 'malformed':
      return {
        ...{ id: 'SETTINGS-MALFORMED', weight: 'problem', ...place },
        cost: `${client.title} cannot read its settings: no hook in them runs`,
        fix: fix ?? `mend that line; then ${init}`,
      }
    case 'unloaded':
      return {
        ...{ id: 'SETTINGS-NOT-LOADED', weight: ours || isOnlyHope ? 'problem' : 'note', ...place },
        cost: `${client.title} leaves the whole file out, or does not start: no hook in it runs`,
        fix: `${/`/.test(saw) ? 'mend it' : 'take it out'}; then ${init}`,
      }
    case 'event':
      return {
        ...{ id: 'HOOK-EVENT-UNKNOWN', weight: ours ? 'problem' : 'note', ...place },
        cost: `${client.title} never runs what stands there`,
        fix: ours ? `take it out; then ${init}` : 'rename it, or take it out',
      }
    case 'shape':
      return {
        ...{ id: 'HOOK-SHAPE', weight: 'problem', ...place },
        cost: `${client.title} ${checkup.broken}`,
        fix: ours && isOnlyHope ? `take it out; then ${init}` : 'mend it, or take it out',
      }
  }
}
