import { type Agent, type Env, oursOf } from './case.ts'

/** Why no hook of ours that can refuse runs, by a switch of the agent's own. */
export function silencedBy(
  agent: Agent,
  where: { readonly root: string; readonly home: string; readonly env: Env },
): string | undefined {
  const { checkup, files } = agent
  const gates = oursOf(agent).filter(hook => checkup.gates.includes(hook.event))
  const off = checkup.switches({ files, ...where }).filter(({ weight = 'problem' }) => weight === 'problem')
  const isOff = (hook: (typeof gates)[number]): boolean =>
    off.some(one => one.silences.includes(hook.scope) && (one.only?.(hook) ?? true))
  return gates.length > 0 && gates.every(isOff) ? off[0]?.saw : undefined
}
