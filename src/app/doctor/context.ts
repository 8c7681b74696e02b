import type { ClientDiagnostics, HookHandler, LoadedSettingsFile } from '../../clients/diagnostics.ts'
import type { Client } from '../../clients/index.ts'
import type { ClientSettings, SettingsScope } from '../../clients/settings.ts'
import type { Folders } from '../../hook/index.ts'
import type { LoadedPolicy } from '../../policy/index.ts'

export type DoctorEnvironment = Readonly<Record<string, string | undefined>>

/** Everything that is looked at, as it was found. A check reads it and touches nothing. */
export interface DoctorContext {
  readonly env: DoctorEnvironment
  readonly cwd: string
  readonly root: string
  readonly now: number
  readonly folders: Folders
  readonly policy: LoadedPolicy
  /** a file as a person in this folder would name it */
  readonly label: (file: string) => string
  /** what the proof says of the policy; made when it is asked for */
  readonly proof: () => VerificationSummary
  /** agents that are on this machine */
  readonly agents: readonly InstalledAgent[]
  /** of the program that asks */
  readonly version: string
  /** what starts that program, whatever is installed here */
  readonly anew?: string
  /** of a program, as it tells itself; undefined where it does not within a few seconds */
  readonly versionOf: (program: string) => string | undefined
}

/** Of the proof, what there is to be told. */
export interface VerificationSummary {
  readonly complete: boolean
  /** what may be wrong, and could not be decided */
  readonly doubts: readonly string[]
  readonly findings: readonly {
    readonly what: string
    readonly why: string
    /** an agent cannot go on there */
    readonly stuck: boolean
    /** `file:line` */
    readonly at: string
  }[]
}

/** An agent that is here, and what its settings say of hooks. */
export interface InstalledAgent {
  readonly client: Client
  readonly checkup: ClientDiagnostics
  readonly registering: ClientSettings
  /** where its program is, if it can be run */
  readonly program: string | undefined
  /** the files that `init` writes */
  readonly own: readonly string[]
  readonly files: readonly LoadedSettingsFile[]
  readonly faults: readonly SettingsFault[]
  /** every handler with a command, ours and others' */
  readonly hooks: readonly RegisteredHook[]
}

/** A place in a file that is not as the agent wants it. */
export interface SettingsFault {
  /** `unloaded`: we can read the file, and the agent leaves it out */
  readonly kind: 'unreadable' | 'malformed' | 'unloaded' | 'shape' | 'event'
  readonly file: string
  readonly line?: number
  readonly saw: string
  /** what stands there is ours */
  readonly ours?: boolean
  readonly fix?: string
}

export interface RegisteredHook extends HookHandler {
  readonly scope: SettingsScope
  readonly line: number
  readonly type: string
  readonly command: string
  /** program and arguments, where no shell is in between */
  readonly words?: readonly string[]
  /** in the agent's unit, as it is written */
  readonly timeout: unknown
  readonly timeoutMs: number | undefined
  readonly ours: boolean
  /** what follows `--client` */
  readonly names: string | undefined
}

/** Ours, for this agent or by mistake for another. */
export const ownHooksOf = ({ hooks }: InstalledAgent): readonly RegisteredHook[] => hooks.filter(one => one.ours)

/** Why the agent leaves a whole file out, by the file: no hook in it runs. */
export const unloadedFilesOf = ({ faults, checkup }: InstalledAgent): ReadonlyMap<string, SettingsFault> =>
  new Map(
    faults
      .filter(({ kind }) => kind === 'malformed' || kind === 'unloaded' || (kind === 'shape' && checkup.brokenWhole))
      .map(fault => [fault.file, fault]),
  )

/** The command that writes this registration anew. */
export const initCommandFor = ({ client }: InstalledAgent, scope?: SettingsScope): string =>
  `signalbox init --client ${client.id}${scope === undefined || scope === 'user' ? '' : ` --scope ${scope}`}`

/** `init` puts right what stands in its own place under the agent's name; the rest a person takes out. */
export const repairCommandFor = (agent: InstalledAgent, { file, scope, names, plugin }: RegisteredHook): string =>
  plugin?.renew ??
  (agent.own.includes(file) && names === agent.client.id
    ? initCommandFor(agent, scope)
    : `take it out of that file; then ${initCommandFor(agent, scope)}`)

/** Those through which a call can be refused. */
export const denyingHooksOf = (agent: InstalledAgent): readonly RegisteredHook[] =>
  ownHooksOf(agent).filter(({ event }) => agent.checkup.shape === 'code' || agent.checkup.gates.includes(event))

/** One look at a case. */
export interface DoctorCheck {
  /** every id it can find */
  readonly ids: readonly string[]
  /** what was looked at, a few words, for those that are fine */
  readonly about: string
  look(one: DoctorContext): readonly import('./finding.ts').DoctorFinding[]
}
