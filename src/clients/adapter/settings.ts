import type { Json, JsonObject } from '../../lib/json.ts'

/** For this person, for everybody who works on the project, or for everybody on the machine. */
export type SettingsScope = 'user' | 'project' | 'managed'

/** How the hook is run. */
export interface HookCommand {
  /** what comes before `--client`, for a shell */
  readonly line: string
  /** what comes before `hook`, where no shell is in between */
  readonly words: readonly string[]
  /** how long it may take: our own time, and that of the longest hook of the person's own */
  readonly timeoutMs: number
}

/** Where a list in its settings names the hook, and how. */
export interface SettingsEntry {
  readonly path: readonly string[]
  readonly item: Json
}

/** What a value of its settings must be: one of these words, or of this kind. */
export type SettingType = 'text' | 'number' | 'switch' | 'list' | 'table' | readonly string[]

/** What its own reader takes beyond plain JSON. A file that it does not take is not loaded, and no hook in it runs. */
export interface SettingsSyntax {
  readonly comments?: true
  readonly trailingCommas?: true
  readonly byteOrderMark?: true
  /** values for which, of another kind, it leaves the whole file out; by their path */
  readonly wants?: Readonly<Record<string, SettingType>>
}

/** Entries in a file of settings. */
export interface SettingsRegistration {
  readonly kind: 'settings'
  readonly reads: SettingsSyntax
  /** what the file says beside the entries, where it is new */
  readonly beside?: Readonly<Record<string, Json>>
  entries(call: HookCommand): readonly SettingsEntry[]
}

/** A file of its own that the agent loads. */
export interface FileRegistration {
  readonly kind: 'file'
  text(call: HookCommand): string
}

/** An agent of one's own, before it is put into a client's words. */
export interface AgentDefinition {
  readonly name: string
  readonly description: string
  readonly instructions: string
  /** it changes files; else it only reads */
  readonly edits?: boolean
}

/** A slash command or a skill, before it is put into a client's words. Policies write `about`: it belongs where nothing runs it. */
export interface CommandDefinition {
  readonly name: string
  readonly about: string
  /** what is to be done; `{words}` stands for what the person wrote behind the command */
  readonly instructions: string
}

/** Files that define one, and what they say. `mark`: a line by which it is known as ours; `#` begins a comment there. */
export interface CommandFileFormat {
  readonly files: Readonly<Record<'user' | 'project', (name: string) => string>>
  text(command: CommandDefinition, mark: string): string
}

/** How an agent is told to call the hook, and where else Signalbox writes for it. Not on the hook's way: it is a list of its own. */
export interface ClientSettings {
  /** as given to `--client` */
  readonly id: string
  /** it is here if one of these programs can be run, or one of these folders is there */
  readonly programs: readonly string[]
  readonly folders: readonly string[]
  /** the file of each scope: relative to the project, `~/…` or absolute */
  readonly files: Readonly<Partial<Record<SettingsScope, string>>>
  /** why there is none for the whole machine */
  readonly unmanaged?: string
  readonly hook: SettingsRegistration | FileRegistration
  /** files that define an agent, and what they say */
  readonly agents?: {
    readonly files: Readonly<Record<'user' | 'project', (name: string) => string>>
    text(agent: AgentDefinition): string
    /** those it has of its own, in small letters; none: nobody knows them, so none is called missing */
    readonly builtIn?: readonly string[]
  }
  /** what a person types, and what the agent itself takes up */
  readonly commands?: CommandFileFormat
  readonly skills?: CommandFileFormat
  /** the file that tells it about the project, and the one of the person's own */
  readonly memory?: { readonly project: string; readonly user?: string }
  /** a call that Signalbox always refuses, as the client would tell it */
  canary(call: CanaryCall): { readonly event: string; readonly payload: JsonObject }
}

export interface CanaryCall {
  readonly command: string
  /** of the session and of the call */
  readonly id: string
  readonly cwd: string
  /** ISO */
  readonly now: string
}

/** The shape that most agents took over from one another: event, groups, handlers. */
export const groupedEntries =
  (
    events: readonly string[],
    handler: (call: HookCommand, event: string) => Readonly<Record<string, Json>>,
  ): SettingsRegistration['entries'] =>
  call =>
    events.map(event => ({
      path: ['hooks', event],
      item: { hooks: [{ type: 'command', ...handler(call, event) }] },
    }))

/** And without groups. */
export const flatEntries =
  (
    events: readonly string[],
    handler: (call: HookCommand, event: string) => Readonly<Record<string, Json>>,
  ): SettingsRegistration['entries'] =>
  call =>
    events.map(event => ({ path: ['hooks', event], item: handler(call, event) }))

export const toSeconds = (ms: number): number => Math.ceil(ms / 1000)

/** Markdown with a head, as most agents read it. `more`: further lines of the head; `reads`: those of an agent that only reads. */
export const createMarkdownAgent =
  (more = '', reads = '') =>
  ({ name, description, instructions, edits }: AgentDefinition): string =>
    `---\nname: ${name}\ndescription: ${description}\n${more}${edits ? '' : reads}---\n\n${instructions}`

/** A skill is Markdown with a head, whoever reads it. What a policy says stands in the head: the rest may be run. */
const renderSkill = ({ name, about, instructions }: CommandDefinition, mark: string): string =>
  `---\n${mark}name: ${name}\ndescription: ${JSON.stringify(about)}\n---\n\n${instructions}`

/** Where an agent keeps skills: below the folder it has here and at home. */
export const skillFilesIn = (folder: string): CommandFileFormat => ({
  files: { user: name => `~/${folder}/skills/${name}/SKILL.md`, project: name => `${folder}/skills/${name}/SKILL.md` },
  text: renderSkill,
})
