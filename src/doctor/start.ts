import { dirname } from 'node:path'
import type { Agent, Env, Registration } from './case.ts'

/** What an agent puts into the environment of its hooks. `project`: the folder it works in. */
export function hookEnv({ checkup, client }: Agent, hook: Registration, env: Env, project: string): Env {
  const named = [...checkup.starts.projectEnv, ...(client.projectEnv === undefined ? [] : [client.projectEnv])]
  const plugin = hook.plugin && { [hook.plugin.env]: dirname(dirname(hook.file)) }
  return { ...env, ...plugin, ...Object.fromEntries(named.map(name => [name, project])), ...checkup.starts.env }
}
