import type { Agent, Env } from './case.ts'

/** What an agent puts into the environment of its hooks. `project`: the folder it works in. */
export function hookEnv({ checkup, client }: Agent, env: Env, project: string): Env {
  const named = [...checkup.starts.projectEnv, ...(client.projectEnv === undefined ? [] : [client.projectEnv])]
  return { ...env, ...Object.fromEntries(named.map(name => [name, project])), ...checkup.starts.env }
}
