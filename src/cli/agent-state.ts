import { existsSync } from 'node:fs'
import { adoptingById } from '../clients/adopts.ts'
import { type Client, clients } from '../clients/index.ts'
import { registeringById, type Scope } from '../clients/registers.ts'
import { type Agent, agentsHere, brokenProgram, lostFiles, oursOf, type Silence, silencedBy } from '../doctor/index.ts'
import {
  clientsFound,
  fileAt,
  type Manifest,
  type Place,
  type Registrations,
  registrationsFound,
} from '../install/index.ts'
import { CANARY_SESSION } from '../pattern/index.ts'
import type { AuditRecord } from '../store/index.ts'

/**
 * `enforcing`: since it was told to, it has called, or a canary was refused and it wants nothing else. `unproven`: it was told
 * to, and neither is so. `broken`: what it was told cannot work. `unregistered`: nobody told it.
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
  /** when a canary was last refused through what is registered */
  readonly canaryAt?: number
  readonly p95Ms?: number
  /** what is wrong, or waited for */
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
  const seen = [...here, ...others].map(client => {
    const agent = agents.find(one => one.client.id === client.id)
    const files = registrationsFound(client, place)
    return { client, agent, files, told: toldIn(files, agent) }
  })
  return seen.map(({ client, agent, files, told }) => {
    const names = borrowedBy(client, place)
    const elsewhere = seen.flatMap(one => one.told.filter(({ file }) => one.client !== client && names.includes(file)))
    const heard = heardOf(client, told.length > 0 ? told : elsewhere, manifest, records, isAsWritten(files, manifest))
    const base = { id: client.id, title: client.title, registered: told, ...heard }
    if (told.length === 0) return { ...base, ...untold(base, files, elsewhere.length > 0) }
    return { ...base, ...judged(base, client, files, told, agent && { off: hindranceOf(agent, where), agent }, around) }
  })
}

/** Files of other agents whose hooks it runs too. */
const borrowedBy = (client: Client, place: Place): readonly (string | undefined)[] => {
  const { user = [], project = [] } = adoptingById(client.id)?.borrows ?? {}
  return [...user, ...project].map(name => fileAt(name, client, place))
}

/** What keeps a refusal from being heard although the canary was refused: the same words in `init` and in `status`. */
export function hindranceOf(agent: Agent, where: Parameters<typeof silencedBy>[1]): Silence | undefined {
  const { title, unverified } = agent.client
  const unseen = { why: 'nobody has seen it work yet', fix: `ask ${title} to run \`ls\``, waits: true, open: true }
  return silencedBy(agent, where) ?? (unverified === undefined ? undefined : unseen)
}

type Told = AgentState['registered']

/** Where `init` writes, and wherever else the agent looks: its plugins, settings of the person in one project. */
function toldIn(files: readonly Registrations[], agent: Agent | undefined): Told {
  const own = files.filter(({ hooks }) => hooks.some(one => one.isOurs))
  const all = [...own, ...(agent ? oursOf(agent) : [])].map(({ scope, file }) => ({ scope, file }))
  return all.filter(({ file }, at) => all.findIndex(one => one.file === file) === at)
}

/** A canary went through the line that `init` wrote: one that was changed since was never tried. */
const isAsWritten = (files: readonly Registrations[], manifest: Manifest): boolean =>
  files.every(({ file, hooks }) => {
    const kept = manifest.files.find(one => one.file === file && one.kind === 'hooks')
    const wrote = kept && Buffer.from(kept.wrote, 'base64').toString('utf8')
    const isWritten = (command: string) => wrote === undefined || wrote.includes(JSON.stringify(command))
    return hooks.every(({ isOurs, command }) => !isOurs || isWritten(command))
  })

function heardOf(
  { id }: Client,
  told: Told,
  manifest: Manifest,
  records: readonly AuditRecord[],
  isTried: boolean,
): Pick<AgentState, 'since' | 'lastCallAt' | 'canaryAt' | 'p95Ms'> {
  const since = whenTold(told, manifest)
  const calls = records.filter(one => one.client === id && !one.session.startsWith(CANARY_SESSION))
  const isFresh = ({ at }: AuditRecord): boolean => since === undefined || at >= since
  const fresh = calls.filter(isFresh)
  const last = fresh.at(-1)
  // of a registration that nobody dated, a canary may have been sent through an earlier one
  const canary = records.findLast(
    one => one.client === id && one.session.startsWith(CANARY_SESSION) && one.decision === 'deny',
  )
  return {
    ...(since !== undefined && { since }),
    ...(canary && isTried && since !== undefined && isFresh(canary) && { canaryAt: canary.at }),
    ...(last && { lastCallAt: last.at, ...p95Of(fresh) }),
  }
}

type Heard = Pick<AgentState, 'lastCallAt' | 'canaryAt'>

/** A call of the past says nothing of now, unless another agent's settings that it reads too are told of the hook. */
function untold(
  { lastCallAt }: Heard,
  files: readonly Registrations[],
  isToldElsewhere: boolean,
): Pick<AgentState, 'state' | 'why'> {
  const problem = files.find(one => one.problem !== undefined)
  if (problem) return { state: 'broken', why: `${problem.file}${problem.place ?? ''} ${problem.problem}` }
  const isHeard = isToldElsewhere && lastCallAt !== undefined && Date.now() - lastCallAt < DAY_MS
  return isHeard ? { state: 'enforcing', why: 'told elsewhere' } : { state: 'unregistered' }
}

function judged(
  { lastCallAt, canaryAt }: Heard,
  client: Client,
  files: readonly Registrations[],
  told: Told,
  seen: { readonly off: Silence | undefined; readonly agent: Agent } | undefined,
  around: Around,
): Pick<AgentState, 'state' | 'why'> {
  const off = seen?.off
  const lost = lostOf(told, seen?.agent)
  const fault = off && !off.waits ? off.why : (lost ?? faultOf(client, files, seen?.agent, around))
  if (fault !== undefined) return { state: 'broken', why: fault }
  if (off && !(off.open && lastCallAt !== undefined)) return { state: 'unproven', why: off.why }
  return { state: lastCallAt === undefined && canaryAt === undefined ? 'unproven' : 'enforcing' }
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
