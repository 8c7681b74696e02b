import { readHookReplacements } from '../../../../policy/compile/compiler.ts'
import { findReplacement, type PackReplacement } from '../../../install/index.ts'
import { type DoctorCheck, type DoctorContext, hooksThatCanDeny, initCommandFor } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Hooks written by hand whose work a pack in force does: in settings, in a plugin, or adopted into the policy before the pack was used. */
export const hooksReplacedByPackCheck: DoctorCheck = {
  ids: ['HOOK-REPLACED'],
  about: 'hooks that a pack replaces',
  look: context => {
    const packs = packsInForce(context)
    return packs.length === 0 ? [] : [...inSettings(context, packs), ...inPolicy(context, packs)]
  },
}

/** A pack that only observes does not do the work of the hook. */
function packsInForce({ policy: { layers, program } }: DoctorContext): readonly PackReplacement[] {
  const used = layers.flatMap(({ packs }) => packs)
  const isAtWork = (names: readonly string[]): boolean =>
    program.gates.some(({ name, mode }) => names.includes(name) && mode !== 'observe')
  return [...new Map(used.map(({ file, id }) => [file, id]))].flatMap(([file, id]) =>
    readHookReplacements(id, file)
      .filter(({ gates }) => isAtWork(gates))
      .map(({ pack, hooks, note }) => ({ pack, hooks, note, isInForce: true })),
  )
}

const costOf = ({ pack }: PackReplacement): string =>
  `the pack \`${pack}\` does the same, and the hook does not know what the pack decided`

function inSettings({ agents }: DoctorContext, packs: readonly PackReplacement[]): readonly DoctorFinding[] {
  return agents
    .filter(agent => hooksThatCanDeny(agent).length > 0)
    .flatMap(agent =>
      [...agent.hooks, ...agent.pluginHooks].flatMap((hook): readonly DoctorFinding[] => {
        const pack = hook.ours ? undefined : findReplacement(hook.command, packs)
        if (!pack) return []
        const isPlugin = agent.pluginHooks.includes(hook)
        return [
          {
            ...{ id: 'HOOK-REPLACED', severity: 'problem', client: agent.client.id, file: hook.file, line: hook.line },
            cause: `${pack.pack} ${hook.file}`,
            effect: costOf(pack),
            found: `\`${hook.event}\` runs ${hook.command}`,
            fix: isPlugin
              ? 'disable the plugin, or take the hook out of that file'
              : `${initCommandFor(agent, hook.scope)} --adopt`,
          },
        ]
      }),
    )
}

const inPolicy = ({ policy }: DoctorContext, packs: readonly PackReplacement[]): readonly DoctorFinding[] =>
  policy.program.hooks.flatMap(({ run, layer }): readonly DoctorFinding[] => {
    const pack = findReplacement(run, packs)
    if (!pack) return []
    const file = policy.layers.find(report => report.layer === layer)?.file
    return [
      {
        ...{ id: 'HOOK-REPLACED', severity: 'problem', cause: `${pack.pack} ${file}` },
        ...(file !== undefined && { file }),
        effect: costOf(pack),
        found: `\`hooks\` has ${run}`,
        fix: 'take it out of that policy',
      },
    ]
  })
