import { basename } from 'node:path'
import type { ClientFootprint } from '../../../clients/index.ts'
import type { ProcessInfo, ProcessTable } from './process-table.ts'
import { isLoginProgram, isTerminalProgram } from './terminal-programs.ts'

export interface HumanCheckContext {
  readonly pid: number
  readonly table: ProcessTable
  /** trusted only as evidence against a person: the caller could have set it */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly agents: readonly ClientFootprint[]
}

/**
 * Why the input may not come from a person: an agent is an ancestor of this process, or of the process that created
 * its terminal. Undefined if there is no doubt.
 */
export function findHumanDoubt({ pid, table, env, agents }: HumanCheckContext): string | undefined {
  const self = table.find(pid)
  if (!self) return 'the list of processes cannot be read'
  const marked = agents.find(({ marks = [] }) => marks.some(name => env[name]))
  if (marked) return `it was started by ${marked.title}`
  const above = findDoubtInAncestors(self, table, agents)
  if (above) return above
  return self.tty === '' ? 'there is no terminal' : findTerminalDoubt(self, table, agents, 0)
}

function findDoubtInAncestors(
  self: ProcessInfo,
  table: ProcessTable,
  agents: readonly ClientFootprint[],
): string | undefined {
  for (const processInfo of lineOf(self, table)) {
    const agent = agents.find(({ processes }) => processes.some(name => isProcessNamed(processInfo, name)))
    if (agent) return `it was started by ${agent.title} (process ${processInfo.pid})`
    const clock = processInfo.names.find(name => SCHEDULERS.has(name))
    if (clock) return `it was started by ${clock}`
  }
  return undefined
}

const SCHEDULERS = new Set(['cron', 'crond', 'anacron', 'atd', 'fcron'])
const MAX_TERMINALS = 8

/**
 * A terminal is as trustworthy as the process that created it, and as that process's own terminal. The holder of its other
 * end must be a known terminal program: an unknown program may show it to nobody.
 */
function findTerminalDoubt(
  processInfo: ProcessInfo,
  table: ProcessTable,
  agents: readonly ClientFootprint[],
  depth: number,
): string | undefined {
  if (depth > MAX_TERMINALS) return 'too many terminals are nested in each other'
  if (isDetachedFromLeader(processInfo, table)) return 'its terminal now belongs to another process'
  const makers = table.terminalHolders(processInfo.tty)
  if (makers.length === 0) return findUnseenHolderDoubt(processInfo, table)
  const doubts = makers.map(maker => {
    const above = findDoubtInAncestors(maker, table, agents)
    if (above) return { agent: true, why: `its terminal does not belong to a person: ${above}` }
    if (maker.tty !== '' && maker.tty !== processInfo.tty)
      return { agent: false, why: findTerminalDoubt(maker, table, agents, depth + 1) }
    return {
      agent: false,
      why: isTerminalProgram(maker) ? undefined : `its terminal was opened by ${describeHolder(maker)}`,
    }
  })
  // a child of the terminal program may hold the other end by accident, so one known terminal program is enough
  const worst = doubts.find(({ agent }) => agent)
  return worst ? worst.why : doubts.some(({ why }) => !why) ? undefined : doubts[0]?.why
}

const describeHolder = ({ names, file }: ProcessInfo): string =>
  `\`${file ?? names[0] ?? '?'}\`, which has no terminal itself and is not a known terminal program`

/** The process that owns the terminal (its leader) is an ancestor of everything a person starts in it. */
const isDetachedFromLeader = (processInfo: ProcessInfo, table: ProcessTable): boolean =>
  processInfo.leader !== undefined && ![...lineOf(processInfo, table)].some(({ pid }) => pid === processInfo.leader)

/**
 * The holder belongs to root (sshd), runs outside of this container, or on another system. A console or serial line has no holder:
 * every process with the permission can open it, so a login program must be an ancestor.
 */
function findUnseenHolderDoubt(processInfo: ProcessInfo, table: ProcessTable): string | undefined {
  const line = [...lineOf(processInfo, table)]
  if (isConsole(processInfo.tty)) return line.some(isLoginProgram) ? undefined : 'nobody is logged in on its console'
  const top = line.at(-1)
  const isFromOutside = top?.parent === 0 && top.tty === processInfo.tty
  return isFromOutside || line.some(isTerminalProgram) ? undefined : 'no person was found at its terminal'
}

/** `4:1` on Linux and other terminals that are not pseudo terminals; `console`, `ttyv0`, `ttyu0` elsewhere. */
const isConsole = (tty: string): boolean => /^\d+:\d+$|^console$|^tty[uv]|^cua/.test(tty)

/** The process and its ancestors. */
function* lineOf(self: ProcessInfo, table: ProcessTable): Generator<ProcessInfo> {
  const seen = new Set<number>()
  for (let one: ProcessInfo | undefined = self; one && !seen.has(one.pid); one = table.find(one.parent)) {
    seen.add(one.pid)
    yield one
  }
}

const INTERPRETERS = /^(node|nodejs|bun|deno|python[\d.]*)$/

/** Matches the process's name, the script its interpreter runs, or that script's package. */
function isProcessNamed({ names, args }: ProcessInfo, wanted: string): boolean {
  const script = names.some(name => INTERPRETERS.test(name))
    ? args.slice(1).find(arg => !arg.startsWith('-'))
    : undefined
  if (wanted.includes('/')) return [args[0], script].some(file => file?.includes(`/${wanted}/`))
  return (
    names.includes(wanted) || (script !== undefined && basename(script).replace(/\.[cm]?[jt]s$|\.py$/, '') === wanted)
  )
}
