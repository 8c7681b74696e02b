import type { JsonObject } from '../../lib/json.ts'
import type { SettingsScope } from './settings.ts'

/** A file of an agent's settings that may name hooks: relative to the project, `~/…` or absolute; with a slash at its end, each file in it; `*` stands for one name. */
export interface SettingsFile {
  readonly path: string
  readonly scope: SettingsScope
  /** it comes with a plugin of ours: the variable that names the plugin's folder, and how the plugin is renewed */
  readonly plugin?: {
    readonly env: string
    readonly renew: string
    /** what takes it out */
    readonly remove: string
    /** `off`: it is there, and the person has switched it off; undefined: nobody said so */
    state?(file: string, around: DiagnosticContext): 'on' | 'off' | undefined
  }
}

/** One of them as it was found. */
export interface LoadedSettingsFile extends SettingsFile {
  /** where it is */
  readonly file: string
  readonly text: string
  /** what it says, where it is JSON */
  readonly said: unknown
}

/** What is known of the machine when an agent's own switches are looked at. */
export interface DiagnosticContext {
  readonly files: readonly LoadedSettingsFile[]
  readonly root: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A setting by which hooks that are registered do not run. */
export interface DisablingSetting {
  readonly id: string
  readonly file: string
  /** of the setting, in a JSON file */
  readonly key?: readonly string[]
  readonly line?: number
  /** what was seen, after the place */
  readonly saw: string
  /** which registrations it silences */
  readonly silences: readonly SettingsScope[]
  /** only these of them */
  readonly only?: (hook: HookHandler) => boolean
  readonly fix: string
  /** it has not come to that yet */
  readonly weight?: 'note'
  /** nothing is wrong: the agent wants a word of the person first */
  readonly waits?: true
}

/** A handler where it was found: in the nth place of the nth group of an event. */
export interface HookHandler {
  readonly file: string
  readonly event: string
  readonly group: number
  readonly nth: number
  readonly matcher?: unknown
  readonly handler: JsonObject
  readonly plugin?: SettingsFile['plugin']
}

/** What a matcher of an event is compared with. */
export type MatcherTarget = 'tool' | 'other' | 'none'

/** What is known of how an agent's hooks are registered, and how that goes wrong. Loaded by `doctor` alone. */
export interface ClientDiagnostics {
  readonly id: string
  readonly files: readonly SettingsFile[]
  /** files that decide over hooks and name none */
  readonly beside?: readonly SettingsFile[]
  /** `groups`: handlers are in the `hooks` of a group; `flat`: in the event's list; `either`; `code`: it loads a program of ours */
  readonly shape: 'groups' | 'flat' | 'either' | 'code'
  readonly events: Readonly<Record<string, MatcherTarget>>
  /** in which a call can be refused: without them nothing is */
  readonly gates: readonly string[]
  readonly types: readonly string[]
  /** `type` may be left out */
  readonly typeless?: true
  /** the keys under which a command line may stand, the first that is there counts */
  readonly commands: readonly string[]
  readonly timeout: { readonly keys: readonly string[]; readonly unit: 's' | 'ms' }
  /** keys that the file must have */
  readonly needs?: Readonly<Record<string, number>>
  /** what one entry of a wrong shape costs, after the agent's name */
  readonly broken: string
  /** that is the whole file */
  readonly brokenWhole?: true
  /**
   * The agent refuses a call if its hook cannot be run: `always`, or if the entry has this key and value, from this version on. Absent: the
   * call passes.
   */
  readonly closes?: 'always' | { readonly by: readonly [key: string, value: string | boolean]; readonly since?: string }
  switches(around: DiagnosticContext): readonly DisablingSetting[]
  /** since this version the calls of a subagent can be told */
  readonly callersSince?: string
  /** a matcher that names an MCP tool so is never met, and what is; undefined: it may be met */
  mcp?(name: string): string | undefined
  /** the same of a policy, which sees one name for what agents spell differently */
  policyMcp?(name: string): string | undefined
  /** its payloads do not say which event they are: the command must */
  readonly eventUnsaid?: (event: string) => boolean
  readonly starts: HookLaunchMethod
  readonly rehearsal?: HeadlessRun
  /** why it cannot be run here */
  readonly unrehearsed?: string
}

/** How the agent starts a hook's command line. */
export interface HookLaunchMethod {
  /** `user`: the person's own shell, as a login shell; `none`: the words as they are */
  readonly shell: 'sh' | 'bash' | 'user' | 'none'
  /** it sets them to the folder of the project */
  readonly projectEnv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** where, if not in the folder of the session */
  readonly cwd?: Readonly<Partial<Record<SettingsScope, string>>>
}

/** How the agent itself is run without a person, against a model on this machine. */
export interface HeadlessRun {
  /** keys of its settings that decide over hooks: all else stays behind */
  readonly kept: readonly (readonly string[])[]
  /** what it also needs to be told */
  launch(stage: HeadlessSandbox): HeadlessLaunch
  /** what else it was told that decides over hooks, for the stage; put behind what `launch` writes */
  carried?(around: DiagnosticContext, stage: HeadlessSandbox): Readonly<Record<string, string>>
  /** what a shell call is in its model's words */
  call(command: string): { readonly tool: string; readonly input: JsonObject }
}

export interface HeadlessSandbox {
  readonly home: string
  readonly project: string
  /** of the scripted model */
  readonly model: string
  readonly prompt: string
}

export interface HeadlessLaunch {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** from the home; text, or what is put over the JSON that is there */
  readonly files?: Readonly<Record<string, string | JsonObject>>
  /** folders of the real home that it cannot do without; only read */
  readonly links?: readonly string[]
  /** in the project, where their folder is there: what of the real home stands in their place */
  readonly projectLinks?: Readonly<Record<string, string>>
}

/** A value within JSON, by its path. */
export function valueAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A setting that is `true` somewhere and so turns hooks off. */
export const filesWithSetting = (
  files: readonly LoadedSettingsFile[],
  path: readonly string[],
  when: unknown,
): readonly LoadedSettingsFile[] => files.filter(({ said }) => valueAtPath(said, path) === when)

/** Does a folder that was trusted hold this one? Undefined: nobody was asked. `rules` as in the agents' `trustedFolders.json`. */
export function isFolderTrusted(rules: unknown, root: string): boolean | undefined {
  if (!isRecord(rules)) return undefined
  const holds = Object.entries(rules).filter(([folder, rule]) => {
    const place = rule === 'TRUST_PARENT' ? folder.replace(/\/[^/]+\/?$/, '') : folder
    return root === place || root.startsWith(`${place.replace(/\/$/, '')}/`)
  })
  // the nearest folder counts
  const [nearest] = holds.sort(([a], [b]) => b.length - a.length)
  return nearest && nearest[1] !== 'DO_NOT_TRUST'
}

/** A switch of a name in a table, `on` or `off`, by the file that counts most: the last that says so. */
export function effectiveSwitch(
  files: readonly LoadedSettingsFile[],
  path: readonly string[],
): 'on' | 'off' | undefined {
  const said = files.map(one => valueAtPath(one.said, path)).filter(value => value !== undefined)
  const last = said.at(-1)
  return last === undefined ? undefined : last === false ? 'off' : 'on'
}

/** What an agent was told to trust, with the folder of a stage in place of the project. */
export function trustRulesForSandbox(
  path: string,
  { files, root }: DiagnosticContext,
  { project }: HeadlessSandbox,
  { undecided }: { readonly undecided: boolean },
): Readonly<Record<string, string>> {
  const said = files.find(one => one.path === path)?.said
  const moved = (folder: string): string =>
    folder === root || folder.startsWith(`${root}/`) ? project + folder.slice(root.length) : folder
  // a folder above the project was trusted for it too
  const mapped = isRecord(said)
    ? Object.fromEntries(Object.entries(said).map(([folder, rule]) => [moved(folder), rule]))
    : {}
  const rules = (isFolderTrusted(said, root) ?? undecided) ? { ...mapped, [project]: 'TRUST_FOLDER' } : mapped
  return { [path.slice(2)]: JSON.stringify(rules) }
}

/** A policy names a tool, or all of a server with a `*`. */
export const serverWildcardOf = (name: string): string | undefined =>
  isServerNameOnly(name) ? `${name}__*` : undefined

/** A name in `mcp__server__tool` form that lacks its tool, as a matcher without a wildcard. */
export const isServerNameOnly = (name: string): boolean => /^mcp__[\w-]+$/.test(name) && !name.slice(5).includes('__')
