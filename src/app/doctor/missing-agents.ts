import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Policy, readRegularFile } from '../../policy/index.ts'
import { delegateAgentsOf, findRouterAgent } from '../install/index.ts'
import { type DoctorEnvironment, type InstalledAgent, ownHooksOf } from './context.ts'
import { resolveSettingsPath } from './read/settings-files.ts'

/** An agent that a denial suggests, and that a client here does not have. */
export interface MissingAgent {
  readonly client: InstalledAgent['client']
  readonly name: string
  readonly gate: string
  /** where the client would look for it */
  readonly file: string
  /** `signalbox init` would create it */
  readonly isWritten: boolean
  /** `file:line` of the rule, if known */
  readonly at: string | undefined
}

interface AgentSearchPaths {
  readonly root: string
  readonly home: string
  readonly env: DoctorEnvironment
}

/** Checks clients that have our hook. A name with a colon belongs to a plugin, which cannot be checked. */
export function findMissingAgents(
  agents: readonly InstalledAgent[],
  program: Pick<Policy, 'gates'>,
  where: AgentSearchPaths,
): readonly MissingAgent[] {
  const called = suggestedAgentsIn(program)
  const written = new Set([...delegateAgentsOf(program), ...[findRouterAgent(program) ?? []].flat()])
  return agents
    .filter(agent => ownHooksOf(agent).length > 0)
    .flatMap(({ client, registering: { agents: known } }) => {
      const builtIn = known?.builtIn
      // without a list of built-in agents, none can be called missing
      if (!known || !builtIn) return []
      const fileOf = (scope: 'user' | 'project', name: string) =>
        resolveSettingsPath(known.files[scope](name), { ...where, moves: client.moves })
      const isThere = (name: string): boolean =>
        builtIn.includes(name.toLowerCase()) ||
        [fileOf('project', name), fileOf('user', name)].some(file => isAgentDefined(name, file))
      return called
        .filter(({ names }) => !names.some(name => name.includes(':') || isThere(name)))
        .map(({ names: [name = ''], gate, at }) => ({
          ...{ client, name, gate, at, file: fileOf('user', name), isWritten: written.has(name) },
        }))
    })
}

interface SuggestedAgents {
  readonly names: readonly string[]
  readonly gate: string
  readonly at: string | undefined
}

function suggestedAgentsIn({ gates }: Pick<Policy, 'gates'>): readonly SuggestedAgents[] {
  const all = gates
    .filter(({ mode }) => mode === 'block')
    .flatMap(({ name: gate, rules, at }) =>
      rules.flatMap(({ then, suggest, at: ruleAt = at }) => {
        if (then !== 'deny' || typeof suggest !== 'object' || !('agent' in suggest)) return []
        return [{ names: [suggest.agent].flat(), gate, at: ruleAt }]
      }),
    )
  return [...new Map(all.map(one => [`${one.gate} ${one.names.join(' ')}`, one])).values()]
}

/** By file name, or by the `name` in another file of the folder. */
function isAgentDefined(name: string, file: string): boolean {
  const folder = dirname(file)
  const names = `name["']?\\s*[:=]\\s*["']?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}["']?\\s*$`
  const says = new RegExp(`^\\s*${names}`, 'm')
  try {
    return readdirSync(folder).some(
      entry => join(folder, entry) === file || says.test(readRegularFile(join(folder, entry)).slice(0, 4000)),
    )
  } catch {
    return false
  }
}
