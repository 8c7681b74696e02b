import type { ClientDiagnostics, HookHandler, LoadedSettingsFile } from '../../clients/diagnostics.ts'
import type { Client } from '../../clients/index.ts'
import type { ClientSettings, SettingsScope } from '../../clients/settings.ts'
import type { Folders } from '../../hook/index.ts'
import type { LoadedPolicy } from '../../policy/index.ts'
import { detectClients } from '../install/index.ts'

export type DoctorEnvironment = Readonly<Record<string, string | undefined>>

/** Everything that the checks read. A check changes nothing. */
export interface DoctorContext {
  readonly env: DoctorEnvironment
  readonly cwd: string
  readonly root: string
  readonly now: number
  readonly folders: Folders
  readonly policy: LoadedPolicy
  /** a file's path as shown to the user */
  readonly label: (file: string) => string
  /** result of verifying the policy; computed on demand */
  readonly proof: () => VerificationSummary
  /** agents on this machine */
  readonly agents: readonly InstalledAgent[]
  /** version of the running program */
  readonly version: string
  /** command that starts the running program, whatever is installed */
  readonly startCommand?: string
  /** the version that a program prints; undefined if it prints none within a few seconds */
  readonly versionOf: (program: string) => string | undefined
}

/** The agents that `signalbox init` would find: some have only a folder here, and no program on the PATH. */
export const titlesInReach = ({ env, folders: { home }, root }: DoctorContext): readonly string[] =>
  detectClients({ env, home, project: root }).map(({ title }) => title)

/** The part of a verification that `doctor` reports. */
export interface VerificationSummary {
  readonly complete: boolean
  /** possible problems that could not be decided */
  readonly doubts: readonly string[]
  readonly findings: readonly {
    readonly what: string
    readonly why: string
    /** an agent is stuck there */
    readonly stuck: boolean
    /** `file:line` */
    readonly at: string
  }[]
}

/** An agent on this machine, and the hooks in its settings. */
export interface InstalledAgent {
  readonly client: Client
  readonly checkup: ClientDiagnostics
  readonly registering: ClientSettings
  /** path of its program, if it is executable */
  readonly program: string | undefined
  /** the files that `init` writes */
  readonly own: readonly string[]
  readonly files: readonly LoadedSettingsFile[]
  readonly faults: readonly SettingsFault[]
  /** every handler with a command, ours and others */
  readonly hooks: readonly RegisteredHook[]
  /** handlers that plugins of other people bring; such a plugin is switched on or off as a whole */
  readonly pluginHooks: readonly RegisteredHook[]
  /** agents that such plugins bring, without the plugin's name; undefined: its plugins are not known */
  readonly pluginAgents: readonly string[] | undefined
  /** MCP servers that its settings and plugins name; undefined: not all places are known */
  readonly servers: readonly string[] | undefined
}

/** Something in a settings file that the agent does not accept. */
export interface SettingsFault {
  /** `unloaded`: we can parse the file, but the agent ignores it */
  readonly kind: 'unreadable' | 'malformed' | 'unloaded' | 'shape' | 'event'
  readonly file: string
  readonly line?: number
  readonly found: string
  /** the entry is ours */
  readonly ours?: boolean
  readonly fix?: string
}

export interface RegisteredHook extends HookHandler {
  readonly scope: SettingsScope
  readonly line: number
  readonly type: string
  readonly command: string
  /** program and arguments, if no shell is used */
  readonly words?: readonly string[]
  /** as written, in the agent's unit */
  readonly timeout: unknown
  readonly timeoutMs: number | undefined
  readonly ours: boolean
  /** the value of `--client` */
  readonly names: string | undefined
}

/** Our hooks, even if registered for the wrong agent. */
export const ownHooksOf = ({ hooks }: InstalledAgent): readonly RegisteredHook[] => hooks.filter(hook => hook.ours)

/** Files that the agent ignores completely, so that no hook in them runs, with the reason. */
export const unloadedFilesOf = ({ faults, checkup }: InstalledAgent): ReadonlyMap<string, SettingsFault> =>
  new Map(
    faults
      .filter(
        ({ kind }) => kind === 'malformed' || kind === 'unloaded' || (kind === 'shape' && checkup.oneErrorVoidsFile),
      )
      .map(fault => [fault.file, fault]),
  )

/** The command that rewrites this registration. */
export const initCommandFor = ({ client }: InstalledAgent, scope?: SettingsScope): string =>
  `signalbox init --client ${client.id}${scope === undefined || scope === 'user' ? '' : ` --scope ${scope}`}`

/** `init` repairs entries in its own files with the right client name; others must be removed by hand. */
export const repairCommandFor = (agent: InstalledAgent, { file, scope, names, plugin }: RegisteredHook): string =>
  plugin?.renew ??
  (agent.own.includes(file) && names === agent.client.id
    ? initCommandFor(agent, scope)
    : `remove it from that file; then ${initCommandFor(agent, scope)}`)

/** Hooks that can deny a call. */
export const hooksThatCanDeny = (agent: InstalledAgent): readonly RegisteredHook[] =>
  ownHooksOf(agent).filter(({ event }) => agent.checkup.shape === 'code' || agent.checkup.gates.includes(event))

/** One check of `doctor`. */
export interface DoctorCheck {
  /** all finding ids that it can return */
  readonly ids: readonly string[]
  /** short description, shown when nothing is found */
  readonly about: string
  look(context: DoctorContext): readonly import('./finding.ts').DoctorFinding[]
}
