import { basename } from 'node:path'
import type { Traces } from '../clients/index.ts'
import type { Process, ProcessTable } from './processes.ts'

export interface Circumstances {
  readonly pid: number
  readonly table: ProcessTable
  /** believed only where it speaks against a person: who is asked may have set it */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly agents: readonly Traces[]
}

/**
 * Why nobody should believe that a person is typing: an agent is among the processes above this one, or above the one
 * that made its terminal. Undefined: nothing speaks against it.
 */
export function doubtOf({ pid, table, env, agents }: Circumstances): string | undefined {
  const self = table.find(pid)
  if (!self) return 'the processes of this machine cannot be read'
  const marked = agents.find(({ marks = [] }) => marks.some(name => env[name]))
  if (marked) return `it runs inside ${marked.title}`
  const above = doubtAbove(self, table, agents)
  if (above) return above
  return self.tty === '' ? 'there is no terminal' : doubtOfTerminal(self.tty, table, agents, 0)
}

function doubtAbove(self: Process, table: ProcessTable, agents: readonly Traces[]): string | undefined {
  for (const one of lineOf(self, table)) {
    const agent = agents.find(({ processes }) => processes.some(name => isCalled(one, name)))
    if (agent) return `it was started by ${agent.title} (process ${one.pid})`
    const clock = one.names.find(name => SCHEDULERS.has(name))
    if (clock) return `it was started by ${clock}`
  }
  return undefined
}

const SCHEDULERS = new Set(['cron', 'crond', 'anacron', 'atd', 'fcron'])
const MOST_TERMINALS = 8

/** A terminal is as good as what made it, and where that has a terminal itself, as good as that one. */
function doubtOfTerminal(
  tty: string,
  table: ProcessTable,
  agents: readonly Traces[],
  depth: number,
): string | undefined {
  if (depth > MOST_TERMINALS) return 'its terminal is one inside many others'
  for (const maker of table.makers(tty)) {
    const above = doubtAbove(maker, table, agents)
    if (above) return `its terminal is not a person's: ${above}`
    if (maker.tty !== '' && maker.tty !== tty) {
      const outer = doubtOfTerminal(maker.tty, table, agents, depth + 1)
      if (outer) return outer
      continue
    }
    const tool = maker.names.find(name => PTY_TOOLS.test(name))
    if (tool && !TERMINALS.test(maker.args.join(' ')))
      return `its terminal was made by \`${tool}\`, which has none itself`
  }
  return undefined
}

/** They make terminals for whoever asks; a person who does so asks from a terminal. */
const PTY_TOOLS =
  /^(script|expect|unbuffer|socat|empty|python[\d.]*|pypy[\d.]*|node|nodejs|bun|deno|perl[\d.]*|ruby[\d.]*)$/

/** Terminals in a window of an editor or a browser that are such a program. */
const TERMINALS = /ptyhost|vscode|code-server|theia|jupyter|wetty/i

/** The process and those above it. */
function* lineOf(self: Process, table: ProcessTable): Generator<Process> {
  const seen = new Set<number>()
  for (let one: Process | undefined = self; one && !seen.has(one.pid); one = table.find(one.parent)) {
    seen.add(one.pid)
    yield one
  }
}

const INTERPRETERS = /^(node|nodejs|bun|deno|python[\d.]*)$/

/** By its own name, by the script an interpreter runs, or by the package that script is from. */
function isCalled({ names, args }: Process, wanted: string): boolean {
  const script = names.some(name => INTERPRETERS.test(name))
    ? args.slice(1).find(arg => !arg.startsWith('-'))
    : undefined
  if (wanted.includes('/')) return [args[0], script].some(file => file?.includes(`/${wanted}/`))
  return (
    names.includes(wanted) || (script !== undefined && basename(script).replace(/\.[cm]?[jt]s$|\.py$/, '') === wanted)
  )
}
