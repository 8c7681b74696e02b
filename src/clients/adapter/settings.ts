import type { Json, JsonObject } from '../../lib/json.ts'

/** For this user, for everyone on the project, or for everyone on the machine. */
export type SettingsScope = 'user' | 'project' | 'managed'

/** How to run the hook. */
export interface HookCommand {
  /** shell command line up to `--client` */
  readonly line: string
  /** arguments up to `hook`, for agents that start programs without a shell */
  readonly words: readonly string[]
  /** timeout: our own time plus that of the longest sub-hook */
  readonly timeoutMs: number
}

/** The list in an agent's settings that the hook is added to, and the item to add. */
export interface SettingsEntry {
  readonly path: readonly string[]
  readonly item: Json
}

/** The type a settings value must have, or the strings it may be. */
export type SettingType = 'text' | 'number' | 'switch' | 'list' | 'table' | readonly string[]

/** What the agent's parser accepts beyond plain JSON. It ignores a file that it cannot parse, and no hook in that file runs. */
export interface SettingsSyntax {
  readonly comments?: true
  readonly trailingCommas?: true
  readonly byteOrderMark?: true
  /** path → required type: the agent ignores the whole file if the value has another type */
  readonly wants?: Readonly<Record<string, SettingType>>
}

/** Registers the hook by entries in a settings file. */
export interface SettingsRegistration {
  readonly kind: 'settings'
  readonly reads: SettingsSyntax
  /** other keys to write when the file is new */
  readonly defaultKeys?: Readonly<Record<string, Json>>
  entries(call: HookCommand): readonly SettingsEntry[]
}

/** Registers the hook by a file of ours that the agent loads. */
export interface FileRegistration {
  readonly kind: 'file'
  text(call: HookCommand): string
}

/** An agent to define, before it is rendered in a client's format. */
export interface AgentDefinition {
  readonly name: string
  readonly description: string
  readonly instructions: string
  /** it may change files; otherwise it is read-only */
  readonly edits?: boolean
}

/** A slash command or skill, before rendering. `about` comes from a policy: put it only where it cannot be executed. */
export interface CommandDefinition {
  readonly name: string
  readonly about: string
  /** what to do; `{words}` stands for the arguments that the user typed after the command */
  readonly instructions: string
}

/** Paths and content of command files. `mark`: a line that identifies the file as ours, in a place where `#` starts a comment. */
export interface CommandFileFormat {
  readonly files: Readonly<Record<'user' | 'project', (name: string) => string>>
  text(command: CommandDefinition, mark: string): string
}

/** How to register the hook with an agent, and what else Signalbox writes for it. Not loaded by the hook process. */
export interface ClientSettings {
  /** as given to `--client` */
  readonly id: string
  /** the agent is installed if one of these programs can be run or one of these folders exists */
  readonly programs: readonly string[]
  readonly folders: readonly string[]
  /** the file of each scope: relative to the project, `~/…` or absolute */
  readonly files: Readonly<Partial<Record<SettingsScope, string>>>
  /** why it has no file for the whole machine */
  readonly noManagedFileReason?: string
  readonly hook: SettingsRegistration | FileRegistration
  /** paths and content of files that define an agent */
  readonly agents?: {
    readonly files: Readonly<Record<'user' | 'project', (name: string) => string>>
    text(agent: AgentDefinition): string
    /** built-in agents, in lower case; absent: not known, so `doctor` reports no agent as missing */
    readonly builtIn?: readonly string[]
  }
  /** `commands`: typed by the user; `skills`: chosen by the agent itself */
  readonly commands?: CommandFileFormat
  readonly skills?: CommandFileFormat
  /** the instruction files that it reads: for the project, and for the user */
  readonly memory?: { readonly project: string; readonly user?: string }
  /** a call that Signalbox always denies, as the client would send it */
  canary(call: CanaryCall): { readonly event: string; readonly payload: JsonObject }
}

export interface CanaryCall {
  readonly command: string
  /** id of the session and of the call */
  readonly id: string
  readonly cwd: string
  /** ISO timestamp */
  readonly now: string
}

/** The format most agents share: event → groups → handlers. */
export const hookEntriesInGroups =
  (
    events: readonly string[],
    handler: (call: HookCommand, event: string) => Readonly<Record<string, Json>>,
  ): SettingsRegistration['entries'] =>
  call =>
    events.map(event => ({
      path: ['hooks', event],
      item: { hooks: [{ type: 'command', ...handler(call, event) }] },
    }))

/** The same without groups: event → handlers. */
export const hookEntriesByEvent =
  (
    events: readonly string[],
    handler: (call: HookCommand, event: string) => Readonly<Record<string, Json>>,
  ): SettingsRegistration['entries'] =>
  call =>
    events.map(event => ({ path: ['hooks', event], item: handler(call, event) }))

export const toSeconds = (ms: number): number => Math.ceil(ms / 1000)

/** Markdown with front matter. `more`: further lines of front matter; `reads`: lines for read-only agents only. */
export const createMarkdownAgent =
  (more = '', reads = '') =>
  ({ name, description, instructions, edits }: AgentDefinition): string =>
    `---\nname: ${name}\ndescription: ${description}\n${more}${edits ? '' : reads}---\n\n${instructions}`

/** A skill is Markdown with front matter. Policy text goes into the front matter only: the body may be executed. */
const renderSkill = ({ name, about, instructions }: CommandDefinition, mark: string): string =>
  `---\n${mark}name: ${name}\ndescription: ${JSON.stringify(about)}\n---\n\n${instructions}`

/** Skill files below an agent's folder, in the project and in the home folder. */
export const skillFileFormat = (folder: string): CommandFileFormat => ({
  files: { user: name => `~/${folder}/skills/${name}/SKILL.md`, project: name => `${folder}/skills/${name}/SKILL.md` },
  text: renderSkill,
})
