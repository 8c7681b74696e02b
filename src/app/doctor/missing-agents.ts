import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Condition } from '../../engine/index.ts'
import { type Policy, readRegularFile } from '../../policy/index.ts'
import { delegateAgentsOf, findRouterAgent } from '../install/index.ts'
import { type DoctorEnvironment, type InstalledAgent, ownHooksOf } from './context.ts'
import { resolveSettingsPath } from './read/settings-files.ts'

/** An agent that a denial suggests or that a gate waits for, and that a client here does not have. */
export interface MissingSubagent {
  readonly client: InstalledAgent['client']
  readonly name: string
  readonly gate: string
  /** no denial suggests it, but only its end opens the gate */
  readonly opens: boolean
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
): readonly MissingSubagent[] {
  const called = [...suggestedAgentsIn(program), ...openingAgentsIn(program)]
  const written = new Set([...delegateAgentsOf(program), ...[findRouterAgent(program) ?? []].flat()])
  return agents
    .filter(agent => ownHooksOf(agent).length > 0)
    .flatMap(({ client, pluginAgents, registering: { agents: known } }) => {
      const builtIn = known?.builtIn
      // without a list of built-in agents, none can be called missing
      if (!known || !builtIn) return []
      const fileOf = (scope: 'user' | 'project', name: string) =>
        resolveSettingsPath(known.files[scope](name), { ...where, moves: client.moves })
      const isThere = (name: string): boolean =>
        builtIn.includes(name.toLowerCase()) ||
        [fileOf('project', name), fileOf('user', name)].some(file => isAgentDefined(name, file))
      // a gate takes the end of a plugin's agent for that of its own
      const isFromPlugin = (name: string): boolean => pluginAgents?.includes(name) ?? true
      return called
        .filter(
          ({ names, opens }) =>
            !names.some(name => name.includes(':') || isThere(name) || (opens && isFromPlugin(name))),
        )
        .map(({ names: [name = ''], gate, at, opens }) => ({
          ...{ client, name, gate, at, opens, file: fileOf('user', name), isWritten: written.has(name) },
        }))
    })
}

/** One of these agents must be there. */
interface NeededAgents {
  readonly names: readonly string[]
  readonly gate: string
  readonly at: string | undefined
  readonly opens: boolean
}

function suggestedAgentsIn({ gates }: Pick<Policy, 'gates'>): readonly NeededAgents[] {
  const all = gates
    .filter(({ mode }) => mode === 'block')
    .flatMap(({ name: gate, rules, at }) =>
      rules.flatMap(({ then, suggest, at: ruleAt = at }) => {
        if (then !== 'deny' || typeof suggest !== 'object' || !('agent' in suggest)) return []
        return [{ names: [suggest.agent].flat(), gate, at: ruleAt, opens: false }]
      }),
    )
  return [...new Map(all.map(item => [`${item.gate} ${item.names.join(' ')}`, item])).values()]
}

/** Gates that deny while closed, suggest no agent, and open by nothing but the end of one. */
function openingAgentsIn({ gates }: Pick<Policy, 'gates'>): readonly NeededAgents[] {
  return gates.flatMap(({ name: gate, mode, rules, transitions, at }): readonly NeededAgents[] => {
    const denials = rules.filter(rule => rule.then === 'deny' && rule.while === 'closed')
    if (mode !== 'block' || denials.length === 0 || denials.some(denial => denial.suggest !== undefined)) return []
    const openings = transitions.filter(({ from, to }) => to === 'open' && from.includes('closed'))
    const names = openings.map(({ when }) => agentsNeededFor(when))
    // the name may be a pattern, which cannot be looked for
    const isKnown = names.every(candidate => candidate.length > 0 && candidate.every(name => /^[\w:-]+$/.test(name)))
    return openings.length > 0 && isKnown ? [{ names: names.flat(), gate, at, opens: true }] : []
  })
}

/** The agents of which one must end for the condition to hold. Empty: it may hold without any. */
function agentsNeededFor(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.map(agentsNeededFor).find(candidate => candidate.length > 0) ?? []
  if ('any' in condition) {
    const each = condition.any.map(agentsNeededFor)
    return each.every(candidate => candidate.length > 0) ? each.flat() : []
  }
  return 'key' in condition && condition.key === 'agent' ? condition.in : []
}

/** By file name, or by the `name` in another file of the folder. */
function isAgentDefined(name: string, file: string): boolean {
  const folder = dirname(file)
  const names = `name["']?\\s*[:=]\\s*["']?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}["']?\\s*$`
  const nameLine = new RegExp(`^\\s*${names}`, 'm')
  try {
    return readdirSync(folder).some(
      entry => join(folder, entry) === file || nameLine.test(readRegularFile(join(folder, entry)).slice(0, 4000)),
    )
  } catch {
    return false
  }
}

/** What the missing agent costs. */
export const missingAgentText = ({ client: { title }, gate, name, opens }: MissingSubagent): string =>
  opens
    ? `only the end of the agent \`${name}\` opens "${gate}", and ${title} has no such agent: it cannot go on`
    : `"${gate}" sends ${title} to the agent \`${name}\`, which does not exist`
