import { dirname, join } from 'node:path'
import { allFootprints } from '../../clients/footprints.ts'
import type { Client, ClientFootprint } from '../../clients/index.ts'
import type { Program } from '../../engine/index.ts'
import { EVENT_KINDS, type Regex } from '../../engine/index.ts'
import {
  isLimitExceeded,
  type LoadedPolicy,
  loadPolicy,
  loadWithDependencies,
  type PolicyCache,
  type PolicyInput,
} from '../../policy/index.ts'
import { type Connection, type LibsqlConstructor, SqliteStore, stateFolderRegistryPath } from '../../store/index.ts'
import { isOnPath, type ProgramCache } from '../facts/program-cache.ts'
import type { CodeGateProcesses } from '../subhooks/code-gates.ts'
import { ATTESTATION_KEY, type Folders, foldersOf } from './folders.ts'
import type { HookServices, ShellAnalyser } from './hook-services.ts'
import { BUILD, VERSION } from './version.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Heavy dependencies, loaded lazily. */
export interface LazyDependencies {
  /** all supported clients */
  readonly clients: () => readonly Client[]
  readonly shell: () => ShellAnalyser
  readonly regex: () => { readonly regex: Regex; readonly checkRegex: (pattern: string) => string | null }
  readonly compiler: Parameters<typeof loadPolicy>[1]
  readonly packsDir: string
  /** for Node versions without SQLite; if absent, the package itself is loaded, which is slower */
  readonly libsql?: () => LibsqlConstructor
}

/** What the daemon keeps between events. */
export interface DaemonCaches {
  readonly connection: Connection
  readonly policies: PolicyCache
  readonly programs: ProgramCache
  readonly codeGateProcesses?: CodeGateProcesses | undefined
  /** when this event arrived, on the process's own clock */
  readonly arrivedAt: number
  /** called with the policy in use and the folder it applies to */
  readonly used?: (program: Program, folder: string) => void
}

type OwnParts = LazyDependencies & Pick<HookServices, 'client' | 'debugTrace' | 'codeWorker'>

/** Options for a process that may create the store in these folders. */
export const storeOptions = ({ data }: Folders) => ({ beginnings: stateFolderRegistryPath(data) })

/** A one-shot process loads every policy itself. */
interface OneShotServices extends HookServices {
  readonly policy: (root: string, cwd: string) => LoadedPolicy
}

/** Everything a one-shot process needs to answer events. Nothing is read or written until it is used. */
export function createServices(env: Env, parts: OwnParts): OneShotServices {
  const folders = foldersOf(env)
  return {
    ...sharedOf(parts),
    folders,
    store: new SqliteStore(folders.state, { ...storeOptions(folders), ...(parts.libsql && { libsql: parts.libsql }) }),
    policy: (root, cwd) =>
      loadPolicy(Object.assign(policyInput(root, cwd, env, folders, parts), { isTimed: true }), parts.compiler),
    stronger: root => loadStronger(policyInput(root, root, env, folders, parts), parts),
  }
}

/** The same for one event in the daemon: environment and working directory are the caller's. */
export function servicesForEvent(env: Env, cwd: string, parts: OwnParts, caches: DaemonCaches): HookServices {
  const { connection, policies, programs, codeGateProcesses, arrivedAt } = caches
  const folders = foldersOf(env)
  const { home, userFile, state } = folders
  const hasCommand = (name: string) => programs.has(name, env.PATH, cwd, arrivedAt)
  const outer = [home, userFile, state, ...allFootprints.map(({ moves }) => moves && env[moves.env])]
  return {
    ...sharedOf(parts),
    folders,
    store: new SqliteStore(connection, { since: arrivedAt }),
    ...(codeGateProcesses && { codeGateProcesses }),
    stronger: root => loadStronger(policyInput(root, root, env, folders, parts, hasCommand), parts),
    policy: (root, folder) => {
      const input = policyInput(root, folder, env, folders, parts, hasCommand)
      const load = () => loadWithDependencies(Object.assign(input, { onOverLimit: 'give up' as const }), parts.compiler)
      const place = JSON.stringify([root, folder, outer])
      const loaded = unlessOverLimit(() =>
        policies.load(place, { env: name => env[name], hasCommand }, arrivedAt, load),
      )
      // the daemon answers all agents one after the other: no agent should wait while another project's policy compiles
      if (!loaded) return { requiresOneShot: 'a policy that takes long to compile' }
      caches.used?.(loaded.program, folder)
      return loaded
    },
  }
}

/** Undefined if the policy exceeds its time to compile. */
function unlessOverLimit<T>(load: () => T): T | undefined {
  try {
    return load()
  } catch (error) {
    if (isLimitExceeded(error)) return undefined
    throw error
  }
}

/** The policy is not stored: this function is used when nothing can be stored. */
function loadStronger(input: PolicyInput, { compiler }: LazyDependencies) {
  const load = (only: PolicyInput['only'] & {}) => loadPolicy({ ...input, only, stores: false }, compiler)
  try {
    return load(['managed', 'user', 'built-in'])
  } catch {
    return load(['built-in'])
  }
}

const sharedOf = (parts: OwnParts): Pick<HookServices, 'client' | 'regex' | 'shell' | 'debugTrace' | 'codeWorker'> => ({
  client: parts.client,
  regex: lazily(parts),
  shell: parts.shell,
  debugTrace: parts.debugTrace,
  codeWorker: parts.codeWorker,
})

const lazily = ({ regex }: LazyDependencies): Regex => ({
  search: (pattern, text) => regex().regex.search(pattern, text),
  reach: (pattern, text) => regex().regex.reach?.(pattern, text) ?? Number.POSITIVE_INFINITY,
  size: pattern => regex().regex.size?.(pattern) ?? 0,
})

export function policyInput(
  root: string,
  cwd: string,
  env: Env,
  folders: Folders,
  parts: LazyDependencies,
  hasCommand = (name: string) => isOnPath(name, env.PATH),
): PolicyInput {
  return {
    root,
    cwd,
    home: folders.home,
    stateDir: folders.state,
    userFile: folders.userFile,
    managedFile: folders.managedFile,
    builtInFile: join(parts.packsDir, 'built-in.yaml'),
    packsDir: parts.packsDir,
    sets: engineSets(env, folders, parts),
    // getters, which a spread would call: a compiled policy that is cached needs no client but its own
    get toolNames() {
      return Object.assign({}, ...parts.clients().map(client => client.toolNames))
    },
    get clients() {
      return parts.clients().map(servedAs)
    },
    regex: lazily(parts),
    checkRegex: pattern => parts.regex().checkRegex(pattern),
    hasCommand,
    env: name => env[name],
    version: `${VERSION} ${BUILD}`,
  }
}

const servedAs = (client: Client) => {
  const { capabilities, eventsWithoutReply = [] } = client
  return {
    ...client,
    reportsExit: capabilities.reportsExit,
    refuses: EVENT_KINDS.filter(kind => capabilities.events[kind]?.can.includes('deny')),
    textEvents: EVENT_KINDS.filter(kind => kind in capabilities.events || eventsWithoutReply.includes(kind)),
  }
}

/** The paths that `$policy`, `$store` and the other sets stand for in a policy. */
const engineSets = (
  env: Env,
  { userFile, managedFile, state, data }: Folders,
  { packsDir }: LazyDependencies,
): Record<string, readonly string[]> => ({
  policy: ['signalbox.yaml', userFile, `${dirname(managedFile)}/`],
  // the files by name too, so that a wildcard or `find -name` that matches one of them is recognized
  store: [`${state}/`, ...STORED.map(name => `${state}/${name}`)],
  key: [join(state, ATTESTATION_KEY)],
  registrations: [
    ...new Set(allFootprints.flatMap(footprint => [...footprint.registrations, ...moved(footprint, env)])),
    '.signalbox/',
  ],
  'registrations-below': allFootprints.flatMap(footprint =>
    footprint.registrations.filter(isOfProject).map(file => `**/${file}`),
  ),
  // besides the scripts that a policy runs: Signalbox itself, and the path where agents find it
  'trusted-scripts': [
    ...['bin/', 'dist/', 'packs/', 'node_modules/', 'package.json'].map(name => `${join(packsDir, '..')}/${name}`),
    ...[data, '/usr/local/lib/signalbox'].flatMap(folder => [
      `${folder}/`,
      ...PROGRAM.map(name => `${folder}/${name}`),
    ]),
    '~/.local/bin/signalbox',
  ],
  secrets: ['.env', '.env.*', '**/.env', '**/.env.*', '~/.ssh/', '~/.aws/', '~/.netrc', '~/.npmrc'],
  'bypass-env': [],
  project: ['./'],
})

const STORED =
  'signalbox.db signalbox.db-wal signalbox.db-shm audit-head audit-head.copy trust.json run-key install.json bypass/*.json run/token run/socket'.split(
    ' ',
  )
const PROGRAM =
  'bin/signalbox bin/signalbox.sh current current/bin/signalbox.cjs current/dist/*.cjs current/packs/built-in.yaml'.split(
    ' ',
  )

const isOfProject = (file: string): boolean => !/^[~/]/.test(file)

/** Paths of the registrations if an environment variable moves the agent's folder. */
function moved({ registrations, moves }: ClientFootprint, env: Env): readonly string[] {
  const to = moves && env[moves.env]
  if (!to) return []
  return registrations.filter(file => file.startsWith(`${moves.from}/`)).map(file => to + file.slice(moves.from.length))
}
