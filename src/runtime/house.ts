import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client, Traces } from '../clients/index.ts'
import { known } from '../clients/known.ts'
import { EVENT_KINDS, type Regex } from '../pattern/index.ts'
import { loadPolicy, type PolicyInput } from '../policy/index.ts'
import { type Libsql, SqliteStore } from '../store/index.ts'
import type { Shell } from './acts.ts'
import { type Folders, foldersOf } from './folders.ts'
import type { House } from './request.ts'
import { BUILD, VERSION } from './version.ts'
import { keyFile } from './witness-key.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Parts that weigh more than they are used: asked for only when they are needed. */
export interface Parts {
  /** all that are served */
  readonly clients: () => readonly Client[]
  readonly shell: () => Shell
  readonly regex: () => { readonly regex: Regex; readonly checkRegex: (pattern: string) => string | null }
  readonly compiler: Parameters<typeof loadPolicy>[1]
  readonly packsDir: string
  /** where Node has no SQLite of its own; without it the package itself is loaded, which takes longer */
  readonly libsql?: () => Libsql
}

/** Everything one process needs to answer events. Opening it touches nothing. */
export function openHouse(env: Env, parts: Parts & Pick<House, 'client' | 'codeWorker'>): House {
  const folders = foldersOf(env)
  return {
    folders,
    client: parts.client,
    regex: lazily(parts),
    shell: parts.shell,
    codeWorker: parts.codeWorker,
    store: new SqliteStore(folders.state, parts.libsql && { libsql: parts.libsql }),
    policy: (root, cwd) => loadPolicy(policyInput(root, cwd, env, folders, parts), parts.compiler),
  }
}

const lazily = ({ regex }: Parts): Regex => ({
  search: (pattern, text) => regex().regex.search(pattern, text),
  reach: pattern => regex().regex.reach?.(pattern) ?? Number.POSITIVE_INFINITY,
})

export function policyInput(root: string, cwd: string, env: Env, folders: Folders, parts: Parts): PolicyInput {
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
    // of these the build tells enough to know a compiled policy by
    get toolNames() {
      return Object.assign({}, ...parts.clients().map(client => client.toolNames))
    },
    get clients() {
      return parts.clients().map(servedAs)
    },
    regex: lazily(parts),
    checkRegex: pattern => parts.regex().checkRegex(pattern),
    hasCommand: name => isOnPath(name, env.PATH),
    env: name => env[name],
    version: `${VERSION} ${BUILD}`,
  }
}

const servedAs = ({ id, title, capabilities }: Client) => ({
  id,
  title,
  reportsStatus: capabilities.reportsStatus,
  refuses: EVENT_KINDS.filter(kind => capabilities.events[kind]?.can.includes('deny')),
})

/** What `$policy`, `$store` and the rest stand for in a policy. */
const engineSets = (
  env: Env,
  { userFile, managedFile, state, data }: Folders,
  { packsDir }: Parts,
): Record<string, readonly string[]> => ({
  policy: ['signalbox.yaml', userFile, `${dirname(managedFile)}/`],
  store: [`${state}/`],
  key: [keyFile(state)],
  registrations: [...new Set(known.flatMap(one => [...one.registrations, ...moved(one, env)])), '.signalbox/'],
  // beside what a policy runs: the program itself, and where agents find it
  'trusted-scripts': [
    ...['bin/', 'dist/', 'packs/', 'node_modules/', 'package.json'].map(name => `${join(packsDir, '..')}/${name}`),
    `${data}/`,
    '/usr/local/lib/signalbox/',
    '~/.local/bin/signalbox',
  ],
  secrets: ['.env', '.env.*', '**/.env', '**/.env.*', '~/.ssh/', '~/.aws/', '~/.netrc', '~/.npmrc'],
  'bypass-env': [],
  project: ['./'],
})

/** Where the registrations are when a variable moves the agent's folder. */
function moved({ registrations, moves }: Traces, env: Env): readonly string[] {
  const to = moves && env[moves.env]
  if (!to) return []
  return registrations.filter(file => file.startsWith(`${moves.from}/`)).map(file => to + file.slice(moves.from.length))
}

function isOnPath(name: string, path = ''): boolean {
  return path.split(':').some(folder => {
    try {
      accessSync(join(folder || '.', name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
