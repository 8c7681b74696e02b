import { existsSync } from 'node:fs'
import { adoptingById } from '../clients/adopts.ts'
import { type Client, clients } from '../clients/index.ts'
import { registeringById, type Scope } from '../clients/registers.ts'
import {
  CANARY_SESSION,
  clientsFound,
  type Manifest,
  type Place,
  type Registration,
  type Registrations,
  registrationsFound,
  settingsIn,
} from '../install/index.ts'
import { isObject } from '../pattern/index.ts'
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
export const agentStates = (
  place: Place,
  manifest: Manifest,
  records: readonly AuditRecord[],
): readonly AgentState[] => {
  const here = clientsFound(place)
  const others = clients.filter(client => !here.includes(client) && isTold(registrationsFound(client, place)))
  return [...here, ...others].map(client => stateOf(client, place, manifest, records))
}

const isTold = (files: readonly Registrations[]): boolean => files.some(({ hooks }) => hooks.some(one => one.isOurs))

function stateOf(client: Client, place: Place, manifest: Manifest, records: readonly AuditRecord[]): AgentState {
  const files = registrationsFound(client, place)
  const told = files.filter(({ hooks }) => hooks.some(one => one.isOurs))
  const since = whenTold(told, manifest)
  const calls = records.filter(one => one.client === client.id && !one.session.startsWith(CANARY_SESSION))
  const fresh = calls.filter(({ at }) => since === undefined || at >= since)
  const last = fresh.at(-1)
  const base = {
    id: client.id,
    title: client.title,
    registered: told.map(({ scope, file }) => ({ scope, file })),
    ...(since !== undefined && { since }),
    ...(last && { lastCallAt: last.at, ...p95Of(fresh) }),
  }
  const problem = files.find(one => one.problem !== undefined)
  if (told.length === 0) {
    if (problem) return { ...base, state: 'broken', why: `${problem.file}${problem.place ?? ''} ${problem.problem}` }
    // a plugin, or the settings of another agent that it reads too
    const isHeard = last !== undefined && Date.now() - last.at < DAY_MS
    return isHeard ? { ...base, state: 'enforcing', why: 'told elsewhere' } : { ...base, state: 'unregistered' }
  }
  const fault = faultOf(client, told)
  if (fault !== undefined) return { ...base, state: 'broken', why: fault }
  return { ...base, state: last ? 'enforcing' : 'unproven' }
}

const DAY_MS = 86_400_000

/** The latest time that we wrote one of them; of one that was written by hand nobody knows. */
function whenTold(told: readonly Registrations[], { files }: Manifest): number | undefined {
  const times = told.flatMap(({ file }) => files.find(one => one.file === file)?.at ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Of the events the client is told of, the one that can refuse must be among them, and what it runs must be there. */
function faultOf(client: Client, told: readonly Registrations[]): string | undefined {
  const how = registeringById(client.id)
  const canary = how?.canary({ command: '', id: '', cwd: '', now: new Date(0).toISOString() }).event
  const ours = told.flatMap(({ hooks }) => hooks.filter(one => one.isOurs))
  const refusing = ours.filter(({ event }) => event === canary || event === '*')
  if (refusing.length === 0) return `no entry for ${canary}`
  const off = told.map(({ file }) => silenced(client, file)).find(one => one !== undefined)
  if (off !== undefined) return off
  const gone = refusing.map(missingIn)
  return gone.every(one => one !== undefined) ? `${gone[0]} is gone` : undefined
}

/** A switch in the same file turns its hooks off. */
function silenced({ id }: Client, file: string): string | undefined {
  const settings = settingsIn(file)
  return isObject(settings) ? adoptingById(id)?.silent?.(settings) : undefined
}

/** A file that the line starts, and that is not there. */
function missingIn({ command }: Registration): string | undefined {
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
