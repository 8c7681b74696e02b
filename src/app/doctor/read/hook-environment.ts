import { dirname } from 'node:path'
import type { DoctorEnvironment, InstalledAgent, RegisteredHook } from '../context.ts'

/** The environment that an agent gives its hooks. `project`: the folder it works in. */
export function hookEnvironmentOf(
  { checkup, client }: InstalledAgent,
  hook: RegisteredHook,
  env: DoctorEnvironment,
  project: string,
): DoctorEnvironment {
  const named = [...checkup.starts.projectEnv, ...(client.projectEnv === undefined ? [] : [client.projectEnv])]
  const plugin = hook.plugin && { [hook.plugin.env]: dirname(dirname(hook.file)) }
  return { ...env, ...plugin, ...Object.fromEntries(named.map(name => [name, project])), ...checkup.starts.env }
}
