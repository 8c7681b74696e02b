import { type DoctorEnvironment, hooksThatCanDeny, type InstalledAgent, type RegisteredHook } from './context.ts'

type DiagnosticRoots = { readonly root: string; readonly home: string; readonly env: DoctorEnvironment }

/** Why none of our denying hooks runs, or may not run. */
export interface DisabledHooksReason {
  readonly why: string
  readonly fix: string
  /** the agent waits for the user's consent: nothing is broken */
  readonly waits: boolean
  /** not certain: a recorded call proves that the hook runs */
  readonly open: boolean
}

/** Finds a setting of the agent that disables our hooks. A setting that needs more than the user's consent comes first. */
export function findDisabledHooksReason(
  agent: InstalledAgent,
  where: DiagnosticRoots,
): DisabledHooksReason | undefined {
  const { checkup, files } = agent
  const gates = hooksThatCanDeny(agent)
  const all = checkup.switches({ files, ...where }).filter(setting => gates.some(hook => isDisabledBy(hook, [setting])))
  const sure = all.filter(({ severity = 'problem' }) => severity === 'problem')
  const isSure = gates.every(hook => isDisabledBy(hook, sure))
  const known = isSure ? sure : gates.every(hook => isDisabledBy(hook, all)) ? all : []
  const first = known.find(({ waits }) => waits !== true) ?? known[0]
  return first && { why: first.found, fix: first.fix, waits: first.waits === true, open: !isSure }
}

const isDisabledBy = (hook: RegisteredHook, off: ReturnType<InstalledAgent['checkup']['switches']>): boolean =>
  off.some(setting => setting.silences.includes(hook.scope) && (setting.only?.(hook) ?? true))
