import { existsSync } from 'node:fs'
import { type Client, clients } from '../clients/index.ts'
import { registeringById, type Scope } from '../clients/registers.ts'
import { type Agent, agentsHere, brokenProgram, lostFiles, oursOf, silencedBy } from '../doctor/index.ts'
import {
  CANARY_SESSION,
  clientsFound,
  type Manifest,
  type Place,
  type Registrations,
  registrationsFound,
} from '../install/index.ts'
import type { AuditRecord } from '../store/index.ts'

/**
 * `enforcing`: it has called since it was told to. `unproven`: it was told to, and has not called. `broken`: what it was told
 * cannot work. `unregistered`: nobody told it.
 */
type State = 'enforcing' | 'unproven' | 'broken' | 'unregistered'

export interface AgentState {
  readonly id: string
  readonly title: string
  readonly state: State
  /** where it is told of the hook */
  readonly registered: readonly { readonly scope: Scope; readonly file: string }[]
  /** when it was, where that is known */
  readonly since?: number
  readonly lastCallAt?: number
  readonly p95Ms?: number
  /** what is wrong */
  readonly why?: string
}

/** How each agent that is here fares. Judged by what it did, not by what its settings say. */
export function agentStates(
  place: Place,
  manifest: Manifest,
  records: readonly AuditRecord[],
  root: string,
): readonly AgentState[] {
  const where = { root, home: place.home, env: place.env }
  const around = { ...where, data: place.data }
  const agents = agentsHere(where)
  const here = clientsFound(place)
  const others = clients.filter(one => !here.includes(one) && agents.some(({ client }) => client.id === one.id))
  return [...here, ...others].map(client => {
    const agent = agents.find(one => one.client.id === client.id)
    const files = registrationsFound(client, place)
    const told = toldIn(files, agent)
    const base = { id: client.id, title: client.title, registered: told, ...heardOf(client, told, manifest, records) }
    return { ...base, ...judged(base, client, files, agent && { off: silencedBy(agent, where), agent }, around) }
  })
}

type Told = AgentState['registered']

/** Where `init` writes, and wherever else the agent looks: its plugins, settings of the person in one project. */
function toldIn(files: readonly Registrations[], agent: Agent | undefined): Told {
  const own = files.filter(({ hooks }) => hooks.some(one => one.isOurs))
  const all = [...own, ...(agent ? oursOf(agent) : [])].map(({ scope, file }) => ({ scope, file }))
  return all.filter(({ file }, at) => all.findIndex(one => one.file === file) === at)
}

function heardOf({ id }: Client, told: Told, manifest: Manifest, records: readonly AuditRecord[]) {
  const since = whenTold(told, manifest)
  const calls = records.filter(one => one.client === id && !one.session.startsWith(CANARY_SESSION))
  const fresh = calls.filter(({ at }) => since === undefined || at >= since)
  const last = fresh.at(-1)
  return { ...(since !== undefined && { since }), ...(last && { lastCallAt: last.at, ...p95Of(fresh) }) }
}

function judged(
  { registered, lastCallAt }: Pick<AgentState, 'registered' | 'lastCallAt'>,
  client: Client,
  files: readonly Registrations[],
  seen: { readonly off: string | undefined; readonly agent: Agent } | undefined,
  around: Around,
): Pick<AgentState, 'state' | 'why'> {
  if (registered.length === 0) {
    const problem = files.find(one => one.problem !== undefined)
    if (problem) return { state: 'broken', why: `${problem.file}${problem.place ?? ''} ${problem.problem}` }
    // the settings of another agent that it reads too
    const isHeard = lastCallAt !== undefined && Date.now() - lastCallAt < DAY_MS
    return isHeard ? { state: 'enforcing', why: 'told elsewhere' } : { state: 'unregistered' }
  }
  const fault = seen?.off ?? lostOf(registered, seen?.agent) ?? faultOf(client, files, seen?.agent, around)
  if (fault !== undefined) return { state: 'broken', why: fault }
  return { state: lastCallAt === undefined ? 'unproven' : 'enforcing' }
}

type Around = Parameters<typeof brokenProgram>[1]

/** Every file that names the hook is one that the agent leaves out. */
function lostOf(told: Told, agent: Agent | undefined): string | undefined {
  const lost = agent && lostFiles(agent)
  const faults = told.map(({ file }) => lost?.get(file))
  const [first] = faults
  if (!first || faults.some(one => !one)) return undefined
  return `${first.file}${first.line === undefined ? '' : `:${first.line}`} is not loaded: ${first.saw}`
}

const DAY_MS = 86_400_000

/** The latest time that we wrote one of them; of one that was written by hand nobody knows. */
function whenTold(told: Told, { files }: Manifest): number | undefined {
  const times = told.flatMap(({ file }) => files.find(one => one.file === file)?.at ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Of the events the client is told of, the one that can refuse must be among them, and what it runs must be there. */
function faultOf(
  client: Client,
  files: readonly Registrations[],
  agent: Agent | undefined,
  around: Around,
): string | undefined {
  const how = registeringById(client.id)
  const canary = how?.canary({ command: '', id: '', cwd: '', now: new Date(0).toISOString() }).event
  const own = files.flatMap(({ hooks }) => hooks.filter(one => one.isOurs))
  const all: readonly { readonly event: string; readonly command: string }[] = [...own, ...(agent ? oursOf(agent) : [])]
  const refusing = all.filter(({ event }) => event === canary || event === '*')
  if (refusing.length === 0) return `no entry for ${canary}`
  const gone = refusing.map(missingIn)
  if (gone.every(one => one !== undefined)) return `${gone[0]} is gone`
  const broken = refusing.map(hook => brokenProgram(hook, around))
  return broken.every(one => one !== undefined) ? broken[0]?.saw : undefined
}

/** A file that the line starts, and that is not there. */
function missingIn({ command }: { readonly command: string }): string | undefined {
  const words = [...command.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single?.replaceAll("'\\''", "'") ?? double ?? bare ?? '',
  )
  const [program = '', script = ''] = words
  return [program, /(^|\/)(node|sh|bash)$/.test(program) ? script : ''].find(
    word => word.startsWith('/') && !existsSync(word),
  )
}

/** Of the last thousand: how long all but the slowest twentieth took. */
function p95Of(calls: readonly AuditRecord[]): { readonly p95Ms?: number } {
  const times = calls
    .slice(-1000)
    .flatMap(({ ms }) => ms ?? [])
    .sort((a, b) => a - b)
  const at = times[Math.max(0, Math.ceil(times.length * 0.95) - 1)]
  return at === undefined ? {} : { p95Ms: Math.round(at) }
}
