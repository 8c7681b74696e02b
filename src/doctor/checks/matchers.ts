import type { Condition } from '../../pattern/index.ts'
import { type Agent, type Case, type Check, mendOf, oursOf, type Registration } from '../case.ts'
import type { Finding } from '../finding.ts'

/** Names of tools: a hook that sees only some, a matcher or a policy with a name that never comes. */
export const matchers: Check = {
  ids: ['MATCHER-NARROW', 'MATCHER-IGNORED', 'MCP-NAME'],
  about: 'matchers, and names of MCP tools',
  look: one => [
    ...one.agents.flatMap(agent => [...narrow(agent), ...agent.hooks.flatMap(hook => mcp(hook, agent))]),
    ...inPolicy(one),
  ],
}

const ALL = ['', '*', '.*', '^.*$']

function narrow(agent: Agent): readonly Finding[] {
  const { client, checkup } = agent
  return oursOf(agent).flatMap((hook): readonly Finding[] => {
    const { matcher, event, file, line } = hook
    if (typeof matcher !== 'string' || ALL.includes(matcher)) return []
    const place = { client: client.id, file, line, fix: mendOf(agent, hook) }
    if (checkup.events[event] === 'none')
      return [
        {
          ...{ id: 'MATCHER-IGNORED', weight: 'note', ...place },
          cost: 'nothing: the matcher is not read, and Signalbox sees every event',
          saw: `\`${event}\` has a matcher, \`${matcher}\``,
        },
      ]
    return [
      {
        ...{ id: 'MATCHER-NARROW', weight: 'problem', ...place, cause: `${file} ${matcher}` },
        cost: `${client.title} calls of other tools pass unchecked`,
        saw: `\`${event}\` reaches Signalbox only for \`${matcher}\``,
      },
    ]
  })
}

/** Of other people's hooks too: they run as rarely. */
function mcp(hook: Registration, { client, checkup }: Agent): readonly Finding[] {
  if (typeof hook.matcher !== 'string' || checkup.events[hook.event] !== 'tool') return []
  return hook.matcher.split('|').flatMap((name): readonly Finding[] => {
    const better = checkup.mcp?.(name.trim())
    if (better === undefined) return []
    return [
      {
        ...{ id: 'MCP-NAME', weight: 'problem', client: client.id, file: hook.file, line: hook.line },
        cost: `${client.title} never sends that name: the hook does not run`,
        saw: `the matcher names \`${name.trim()}\``,
        fix: `write \`${better}\``,
      },
    ]
  })
}

function inPolicy({ agents, policy: { program }, root }: Case): readonly Finding[] {
  const named = program.gates
    .filter(gate => gate.layer !== 'built-in')
    .flatMap(gate =>
      [...gate.rules, ...gate.transitions, ...(gate.routes?.list ?? [])].flatMap(({ when, at = gate.at }) =>
        toolsIn(when).map(name => ({ name, at })),
      ),
    )
  return agents.flatMap(({ client, checkup }) =>
    named.flatMap(({ name, at = '' }): readonly Finding[] => {
      const better = checkup.policyMcp?.(name)
      if (better === undefined) return []
      const [, file = at, line] = /^(.*?):(\d+)/.exec(at) ?? []
      return [
        {
          ...{ id: 'MCP-NAME', weight: 'problem', client: client.id, cause: `${name} ${at}` },
          ...{
            file: file.startsWith('/') ? file : `${root}/${file}`,
            ...(line !== undefined && { line: Number(line) }),
          },
          cost: `on ${client.title} no tool comes under that name: the rule never fires`,
          saw: `the policy names \`${name}\``,
          fix: `write \`${better}\` beside it`,
        },
      ]
    }),
  )
}

function toolsIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(toolsIn)
  if ('any' in condition) return condition.any.flatMap(toolsIn)
  if ('not' in condition) return toolsIn(condition.not)
  return condition.key === 'tool' ? condition.in.filter(name => name.startsWith('mcp')) : []
}
