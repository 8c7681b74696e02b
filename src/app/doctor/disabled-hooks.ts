import { type DoctorEnvironment, denyingHooksOf, type InstalledAgent, type RegisteredHook } from './context.ts'

type DiagnosticRoots = { readonly root: string; readonly home: string; readonly env: DoctorEnvironment }

/** Why no hook of ours that can refuse runs, or may not. */
export interface DisabledHooksReason {
  readonly why: string
  readonly fix: string
  /** the agent wants a word of the person first: nothing is broken */
  readonly waits: boolean
  /** it may still come out well: a call that was seen is a proof */
  readonly open: boolean
}

/** By a switch of the agent's own; where there are several, the one that a person cannot mend by a word counts first. */
export function findDisabledHooksReason(
  agent: InstalledAgent,
  where: DiagnosticRoots,
): DisabledHooksReason | undefined {
  const { checkup, files } = agent
  const gates = denyingHooksOf(agent)
  const all = checkup.switches({ files, ...where }).filter(one => gates.some(hook => isDisabledBy(hook, [one])))
  const sure = all.filter(({ weight = 'problem' }) => weight === 'problem')
  const isSure = gates.every(hook => isDisabledBy(hook, sure))
  const known = isSure ? sure : gates.every(hook => isDisabledBy(hook, all)) ? all : []
  const first = known.find(({ waits }) => waits !== true) ?? known[0]
  return first && { why: first.saw, fix: first.fix, waits: first.waits === true, open: !isSure }
}

const isDisabledBy = (hook: RegisteredHook, off: ReturnType<InstalledAgent['checkup']['switches']>): boolean =>
  off.some(one => one.silences.includes(hook.scope) && (one.only?.(hook) ?? true))
