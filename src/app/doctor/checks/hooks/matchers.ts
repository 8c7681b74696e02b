import { type Condition, leavesOf } from '../../../../engine/index.ts'
import {
  type DoctorCheck,
  type DoctorContext,
  type InstalledAgent,
  ownHooksOf,
  type RegisteredHook,
  repairCommandFor,
} from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Tool names: a hook that sees only some tools, or a matcher or policy with a name that never occurs. */
export const matchersCheck: DoctorCheck = {
  ids: ['MATCHER-NARROW', 'MATCHER-IGNORED', 'MCP-NAME'],
  about: 'matchers, and names of MCP tools',
  look: context => [
    ...context.agents.flatMap(agent => [
      ...findNarrowMatchers(agent),
      ...agent.hooks.flatMap(hook => findMcpNameMistakes(hook, agent)),
    ]),
    ...findPolicyNameMistakes(context),
  ],
}

const MATCH_ALL = ['', '*', '.*', '^.*$']

function findNarrowMatchers(agent: InstalledAgent): readonly DoctorFinding[] {
  const { client, checkup } = agent
  return ownHooksOf(agent).flatMap((hook): readonly DoctorFinding[] => {
    const { matcher, event, file, line } = hook
    if (typeof matcher !== 'string' || MATCH_ALL.includes(matcher)) return []
    const place = { client: client.id, file, line, fix: repairCommandFor(agent, hook) }
    if (checkup.events[event] === 'none')
      return [
        {
          ...{ id: 'MATCHER-IGNORED', severity: 'note', ...place },
          effect: 'none: the agent ignores the matcher, and Signalbox gets every event',
          found: `\`${event}\` has a matcher, \`${matcher}\``,
        },
      ]
    return [
      {
        ...{ id: 'MATCHER-NARROW', severity: 'problem', ...place, cause: `${file} ${matcher}` },
        effect: `${client.title} calls of other tools pass unchecked`,
        found: `\`${event}\` reaches Signalbox only for \`${matcher}\``,
      },
    ]
  })
}

/** Checks other hooks too: they do not run either. */
function findMcpNameMistakes(hook: RegisteredHook, { client, checkup }: InstalledAgent): readonly DoctorFinding[] {
  if (typeof hook.matcher !== 'string' || checkup.events[hook.event] !== 'tool') return []
  return hook.matcher.split('|').flatMap((name): readonly DoctorFinding[] => {
    const better = checkup.mcp?.(name.trim())
    if (better === undefined) return []
    return [
      {
        ...{ id: 'MCP-NAME', severity: 'problem', client: client.id, file: hook.file, line: hook.line },
        effect: `${client.title} never sends that name: the hook does not run`,
        found: `the matcher names \`${name.trim()}\``,
        fix: `write \`${better}\``,
      },
    ]
  })
}

function findPolicyNameMistakes(context: DoctorContext): readonly DoctorFinding[] {
  const named = namedMcpTools(context)
  return context.agents.flatMap(({ client, checkup }) =>
    named.flatMap(({ name, at, file, line }): readonly DoctorFinding[] => {
      const better = checkup.policyMcp?.(name)
      if (better === undefined) return []
      return [
        {
          ...{ id: 'MCP-NAME', severity: 'problem', client: client.id, cause: `${name} ${at}` },
          ...{ file, ...(line !== undefined && { line }) },
          effect: `${client.title} has no tool with this name: the rule never matches`,
          found: `the policy names \`${name}\``,
          fix: `add \`${better}\``,
        },
      ]
    }),
  )
}

interface NamedTool {
  readonly name: string
  /** `file:line` */
  readonly at: string
  readonly file: string
  readonly line?: number
}

/** Tools of MCP servers that the policy names, with their places. */
export const namedMcpTools = ({ policy: { program }, root }: DoctorContext): readonly NamedTool[] =>
  program.gates
    .filter(gate => gate.layer !== 'built-in')
    .flatMap(gate =>
      [...gate.rules, ...gate.transitions, ...(gate.routes?.list ?? [])].flatMap(({ when, at = gate.at ?? '' }) => {
        const [, file = at, line] = /^(.*?):(\d+)/.exec(at) ?? []
        const place = { file: file.startsWith('/') ? file : `${root}/${file}` }
        return toolsIn(when).map(name => ({ name, at, ...place, ...(line !== undefined && { line: Number(line) }) }))
      }),
    )

const toolsIn = (condition: Condition): readonly string[] =>
  leavesOf(condition).flatMap(leaf => (leaf.key === 'tool' ? leaf.in.filter(name => name.startsWith('mcp')) : []))
