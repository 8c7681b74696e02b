import { existsSync } from 'node:fs'
import { hookImporterById } from '../../../../clients/import-hooks.ts'
import { type Client, clients } from '../../../../clients/index.ts'
import { clientSettingsById, type SettingsScope } from '../../../../clients/settings.ts'
import { CANARY_SESSION } from '../../../../engine/index.ts'
import { unescapeSingleQuotes } from '../../../../lib/shell-quote.ts'
import type { AuditRecord } from '../../../../store/index.ts'
import {
  type DisabledHooksReason,
  findBrokenProgram,
  findDisabledHooksReason,
  findInstalledAgents,
  type InstalledAgent,
  ownHooksOf,
  unloadedFilesOf,
} from '../../../doctor/index.ts'
import {
  type ClientRegistrations,
  detectClients,
  type InstallManifest,
  type InstallPaths,
  readAllRegistrations,
  resolveClientFile,
} from '../../../install/index.ts'

/**
 * `enforcing`: since its registration, the agent has called, or a canary was denied and nothing else is needed. `unverified`: it is
 * registered, but neither has happened. `broken`: the registration cannot work. `no-hook`: there is no registration.
 */
type EnforcementState = 'enforcing' | 'unverified' | 'broken' | 'no-hook'

export interface AgentState {
  readonly id: string
  readonly title: string
  readonly state: EnforcementState
  /** the settings files that register the hook */
  readonly registered: readonly { readonly scope: SettingsScope; readonly file: string }[]
  /** when the hook was registered, if known */
  readonly since?: number
  readonly lastCallAt?: number
  /** when a canary was last denied through the registered hook */
  readonly canaryAt?: number
  readonly p95Ms?: number
  /** what is wrong or missing */
  readonly why?: string
}

/** The state of each installed agent, judged by what it did and not by its settings. */
export function agentStates(
  paths: InstallPaths,
  manifest: InstallManifest,
  records: readonly AuditRecord[],
  root: string,
): readonly AgentState[] {
  const where = { root, home: paths.home, env: paths.env }
  const agents = findInstalledAgents(where)
  const here = detectClients(paths)
  const others = clients.filter(
    candidate => !here.includes(candidate) && agents.some(({ client }) => client.id === candidate.id),
  )
  const seen = [...here, ...others].map(client => {
    const agent = agents.find(installedAgent => installedAgent.client.id === client.id)
    const files = readAllRegistrations(client, paths)
    return { client, agent, files, registered: registeredFilesOf(files, agent) }
  })
  return seen.map(({ client, agent, files, registered }) => {
    const names = sharedFilesOf(client, paths)
    const elsewhere = seen.flatMap(item =>
      item.registered.filter(({ file }) => item.client !== client && names.includes(file)),
    )
    const signs = lastSignsOf(
      client,
      registered.length > 0 ? registered : elsewhere,
      manifest,
      records,
      areLinesUnchanged(files, manifest),
    )
    const base = { id: client.id, title: client.title, registered, ...signs }
    if (registered.length === 0) return { ...base, ...stateWithoutHook(base, files, elsewhere.length > 0) }
    return {
      ...base,
      ...registeredState(base, client, files, registered, agent && { off: findHindrance(agent, where), agent }, where),
    }
  })
}

/** Settings files of other agents whose hooks this agent runs too. */
const sharedFilesOf = (client: Client, paths: InstallPaths): readonly (string | undefined)[] => {
  const { user = [], project = [] } = hookImporterById(client.id)?.borrows ?? {}
  return [...user, ...project].map(name => resolveClientFile(name, client, paths))
}

/** Why the agent may not apply a denial although the canary was denied. `init` and `status` use the same words. */
export function findHindrance(
  agent: InstalledAgent,
  where: Parameters<typeof findDisabledHooksReason>[1],
): DisabledHooksReason | undefined {
  const { title, unverified } = agent.client
  const unseen = { why: 'no call has been seen yet', fix: `ask ${title} to run \`ls\``, waits: true, open: true }
  return findDisabledHooksReason(agent, where) ?? (unverified === undefined ? undefined : unseen)
}

type RegisteredFiles = AgentState['registered']

/** Files that `init` writes, and other files the agent reads: plugins, and the person's settings in one project. */
function registeredFilesOf(files: readonly ClientRegistrations[], agent: InstalledAgent | undefined): RegisteredFiles {
  const own = files.filter(({ hooks }) => hooks.some(hook => hook.isOurs))
  const all = [...own, ...(agent ? ownHooksOf(agent) : [])].map(({ scope, file }) => ({ scope, file }))
  return all.filter(({ file }, at) => all.findIndex(candidate => candidate.file === file) === at)
}

/** The canary ran the line that `init` wrote. A line that was changed since has not been tested. */
const areLinesUnchanged = (files: readonly ClientRegistrations[], manifest: InstallManifest): boolean =>
  files.every(({ file, hooks }) => {
    const entry = manifest.files.find(manifestEntry => manifestEntry.file === file && manifestEntry.kind === 'hooks')
    const wrote = entry && Buffer.from(entry.wrote, 'base64').toString('utf8')
    const isWritten = (command: string) => wrote === undefined || wrote.includes(JSON.stringify(command))
    return hooks.every(({ isOurs, command }) => !isOurs || isWritten(command))
  })

function lastSignsOf(
  { id }: Client,
  registered: RegisteredFiles,
  manifest: InstallManifest,
  records: readonly AuditRecord[],
  isTried: boolean,
): Pick<AgentState, 'since' | 'lastCallAt' | 'canaryAt' | 'p95Ms'> {
  const since = registeredAt(registered, manifest)
  const calls = records.filter(record => record.client === id && !record.session.startsWith(CANARY_SESSION))
  const isFresh = ({ at }: AuditRecord): boolean => since === undefined || at >= since
  const fresh = calls.filter(isFresh)
  const last = fresh.at(-1)
  // without a registration date, the canary may have run an earlier line
  const canary = records.findLast(
    record => record.client === id && record.session.startsWith(CANARY_SESSION) && record.decision === 'deny',
  )
  return {
    ...(since !== undefined && { since }),
    ...(canary && isTried && since !== undefined && isFresh(canary) && { canaryAt: canary.at }),
    ...(last && { lastCallAt: last.at, ...p95Of(fresh) }),
  }
}

type LastSigns = Pick<AgentState, 'lastCallAt' | 'canaryAt'>

/** A past call does not show that the hook runs now, unless the agent also reads settings of another agent that register it. */
function stateWithoutHook(
  { lastCallAt }: LastSigns,
  files: readonly ClientRegistrations[],
  isRegisteredElsewhere: boolean,
): Pick<AgentState, 'state' | 'why'> {
  const problem = files.find(file => file.problem !== undefined)
  if (problem) return { state: 'broken', why: `${problem.file}${problem.place ?? ''} ${problem.problem}` }
  const calledRecently = isRegisteredElsewhere && lastCallAt !== undefined && Date.now() - lastCallAt < DAY_MS
  return calledRecently ? { state: 'enforcing', why: 'through the settings of another agent' } : { state: 'no-hook' }
}

function registeredState(
  { lastCallAt, canaryAt }: LastSigns,
  client: Client,
  files: readonly ClientRegistrations[],
  registered: RegisteredFiles,
  seen: { readonly off: DisabledHooksReason | undefined; readonly agent: InstalledAgent } | undefined,
  context: ProgramContext,
): Pick<AgentState, 'state' | 'why'> {
  const off = seen?.off
  const lost = findUnloadedFiles(registered, seen?.agent)
  const fault = off && !off.waits ? off.why : (lost ?? findRegistrationProblem(client, files, seen?.agent, context))
  if (fault !== undefined) return { state: 'broken', why: fault }
  if (off && !(off.open && lastCallAt !== undefined)) return { state: 'unverified', why: off.why }
  return { state: lastCallAt === undefined && canaryAt === undefined ? 'unverified' : 'enforcing' }
}

type ProgramContext = Parameters<typeof findBrokenProgram>[1]

/** The agent loads none of the files that register the hook. */
function findUnloadedFiles(registered: RegisteredFiles, agent: InstalledAgent | undefined): string | undefined {
  const lost = agent && unloadedFilesOf(agent)
  const faults = registered.map(({ file }) => lost?.get(file))
  const [first] = faults
  if (!first || faults.some(fault => !fault)) return undefined
  return `${first.file}${first.line === undefined ? '' : `:${first.line}`} is not loaded: ${first.found}`
}

const DAY_MS = 86_400_000

/** The latest time that we wrote one of the files; unknown for files written by hand. */
function registeredAt(registered: RegisteredFiles, { files }: InstallManifest): number | undefined {
  const times = registered.flatMap(({ file }) => files.find(manifestEntry => manifestEntry.file === file)?.at ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** The event that can deny must be registered, and the program it runs must exist. */
function findRegistrationProblem(
  client: Client,
  files: readonly ClientRegistrations[],
  agent: InstalledAgent | undefined,
  context: ProgramContext,
): string | undefined {
  const how = clientSettingsById(client.id)
  const canary = how?.canary({ command: '', id: '', cwd: '', now: new Date(0).toISOString() }).event
  const own = files.flatMap(({ hooks }) => hooks.filter(hook => hook.isOurs))
  const all: readonly { readonly event: string; readonly command: string }[] = [
    ...own,
    ...(agent ? ownHooksOf(agent) : []),
  ]
  const refusing = all.filter(({ event }) => event === canary || event === '*')
  if (refusing.length === 0) return `no hook for ${canary}`
  const gone = refusing.map(missingFileIn)
  if (gone.every(text => text !== undefined)) return `${gone[0]} does not exist`
  const broken = refusing.map(hook => findBrokenProgram(hook, context))
  return broken.every(candidate => candidate !== undefined) ? broken[0]?.found : undefined
}

/** The file that the command starts, if it is missing. */
function missingFileIn({ command }: { readonly command: string }): string | undefined {
  const words = [...command.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) =>
    single === undefined ? (double ?? bare ?? '') : unescapeSingleQuotes(single),
  )
  const [program = '', script = ''] = words
  return [program, /(^|\/)(node|sh|bash)$/.test(program) ? script : ''].find(
    word => word.startsWith('/') && !existsSync(word),
  )
}

/** The 95th percentile of the last thousand calls. */
function p95Of(calls: readonly AuditRecord[]): { readonly p95Ms?: number } {
  const times = calls
    .slice(-1000)
    .flatMap(({ ms }) => ms ?? [])
    .sort((a, b) => a - b)
  const at = times[Math.max(0, Math.ceil(times.length * 0.95) - 1)]
  return at === undefined ? {} : { p95Ms: Math.round(at) }
}
