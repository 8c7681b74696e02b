import type { JsonObject } from '../../lib/json.ts'
import type { SettingsScope } from './settings.ts'

/** A settings file that may register hooks: relative to the project, `~/…` or absolute. A final `/`: each file in it; `*`: any one name. */
export interface SettingsFile {
  readonly path: string
  readonly scope: SettingsScope
  /** the file belongs to our plugin: the variable that names the plugin's folder, and the command that updates the plugin */
  readonly plugin?: {
    readonly env: string
    readonly renew: string
    /** the command that removes the plugin */
    readonly remove: string
    /** `off`: installed but disabled by the user; undefined: no setting mentions it */
    state?(file: string, context: DiagnosticContext): 'on' | 'off' | undefined
  }
}

/** Plugins that other people made. Their hooks and MCP servers take part in a session as the settings' own do. */
export interface ThirdPartyPlugins {
  /** the folder of each: `*` is any one name */
  readonly folder: string
  /** the last `*` is a version, and the newest one is in use */
  readonly versions?: true
  /** the file with hooks in that folder */
  readonly hooks: string
  /** files with MCP servers in that folder */
  readonly servers: readonly string[]
  /** the settings switch it on; the folder ends with `/` */
  isOn(folder: string, context: DiagnosticContext): boolean
}

/** Where the agent reads its MCP servers from. */
export interface ServerSettings {
  readonly files: readonly string[]
  /** the names of the servers in one of these files, or in a file of a plugin */
  names(file: Pick<LoadedSettingsFile, 'text' | 'settings'>, root: string): readonly string[]
  /** a server that stands in no file: the editor's own, or one of the user's account */
  readonly unlisted?: RegExp
}

/** A settings file that exists. */
export interface LoadedSettingsFile extends SettingsFile {
  /** absolute path */
  readonly file: string
  readonly text: string
  /** parsed content, if it is JSON */
  readonly settings: unknown
}

/** The machine state that `switches` checks. */
export interface DiagnosticContext {
  readonly files: readonly LoadedSettingsFile[]
  readonly root: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A setting that keeps registered hooks from running. */
export interface DisablingSetting {
  readonly id: string
  readonly file: string
  /** path of the setting, in a JSON file */
  readonly key?: readonly string[]
  readonly line?: number
  /** what is wrong; printed after the location */
  readonly found: string
  /** scopes whose hooks it disables */
  readonly silences: readonly SettingsScope[]
  /** only the hooks of these scopes that match */
  readonly only?: (hook: HookHandler) => boolean
  readonly fix: string
  /** not a problem yet */
  readonly severity?: 'note'
  /** not an error: the agent waits for the user's consent */
  readonly waits?: true
}

/** A hook handler and its position: index of the group in the event, index in the group. */
export interface HookHandler {
  readonly file: string
  readonly event: string
  readonly group: number
  readonly nth: number
  readonly matcher?: unknown
  readonly handler: JsonObject
  readonly plugin?: SettingsFile['plugin']
}

/** What the matcher of an event is compared with. */
export type MatcherTarget = 'tool' | 'other' | 'none'

/** How an agent registers hooks, and how that can be misconfigured. Used only by `doctor`. */
export interface ClientDiagnostics {
  readonly id: string
  readonly files: readonly SettingsFile[]
  /** files that affect hooks but register none */
  readonly relatedFiles?: readonly SettingsFile[]
  readonly plugins?: ThirdPartyPlugins
  /** absent: not all places are known, so that no server can be called missing */
  readonly servers?: ServerSettings
  /** `groups`: handlers are in the `hooks` of a group; `flat`: in the event's list; `either`: both occur; `code`: it loads our plugin */
  readonly shape: 'groups' | 'flat' | 'either' | 'code'
  readonly events: Readonly<Record<string, MatcherTarget>>
  /** events on which a call can be denied: without a hook on them nothing is denied */
  readonly gates: readonly string[]
  readonly types: readonly string[]
  /** `type` is optional */
  readonly typeless?: true
  /** keys that may hold the command line; the first one present counts */
  readonly commands: readonly string[]
  readonly timeout: { readonly keys: readonly string[]; readonly unit: 's' | 'ms' }
  /** keys that the file must have, with their minimum values */
  readonly needs?: Readonly<Record<string, number>>
  /** the effect of one invalid entry; printed after the agent's name */
  readonly broken: string
  /** one invalid entry disables the whole file */
  readonly oneErrorVoidsFile?: true
  /**
   * The agent denies a call whose hook cannot be run: `always`, or if the entry has this key and value, from version `since` on.
   * Absent: the call passes.
   */
  readonly closes?: 'always' | { readonly by: readonly [key: string, value: string | boolean]; readonly since?: string }
  switches(context: DiagnosticContext): readonly DisablingSetting[]
  /** first version whose payloads show that a subagent made the call */
  readonly callersSince?: string
  /** the correct form of an MCP tool name that a matcher can never match; undefined: the name is fine */
  mcp?(name: string): string | undefined
  /** the same for policies, which use one spelling for all agents */
  policyMcp?(name: string): string | undefined
  /** payloads of this event do not name it, so the command line must */
  readonly omitsEventName?: (event: string) => boolean
  readonly starts: HookLaunchMethod
  readonly headlessRun?: HeadlessRun
  /** why there is no `rehearsal` */
  readonly noHeadlessRunReason?: string
}

/** How the agent starts a hook's command line. */
export interface HookLaunchMethod {
  /** `user`: the user's login shell; `none`: no shell, the arguments as they are */
  readonly shell: 'sh' | 'bash' | 'user' | 'none'
  /** variables that it sets to the project folder */
  readonly projectEnv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** working directory by scope; default: the session's folder */
  readonly cwd?: Readonly<Partial<Record<SettingsScope, string>>>
}

/** How to run the agent headless against a fake model on this machine. */
export interface HeadlessRun {
  /** settings keys that affect hooks; all others are left out of the sandbox */
  readonly preservedPaths: readonly (readonly string[])[]
  /** arguments, environment and files of the run */
  launch(stage: HeadlessSandbox): HeadlessLaunch
  /** further settings that affect hooks, such as trust, adapted to the sandbox; appended to the files of `launch` */
  carried?(context: DiagnosticContext, stage: HeadlessSandbox): Readonly<Record<string, string>>
  /** a shell call as the agent's model would make it */
  call(command: string): { readonly tool: string; readonly input: JsonObject }
}

export interface HeadlessSandbox {
  readonly home: string
  readonly project: string
  /** URL of the fake model */
  readonly model: string
  readonly prompt: string
}

export interface HeadlessLaunch {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** path below the home folder → text, or JSON that is merged into the existing file */
  readonly files?: Readonly<Record<string, string | JsonObject>>
  /** folders of the real home folder that the agent needs; read-only */
  readonly links?: readonly string[]
  /** path in the project → path in the real home folder to link there; only if the parent folder exists */
  readonly projectLinks?: Readonly<Record<string, string>>
}

/** The value at a path in parsed JSON. */
export function valueAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The keys of the table at a path in parsed JSON. */
export function keysAtPath(value: unknown, path: readonly string[]): readonly string[] {
  const table = valueAtPath(value, path)
  return isRecord(table) ? Object.keys(table) : []
}

/** The files in which a setting has the value `when`. */
export const filesWithSetting = (
  files: readonly LoadedSettingsFile[],
  path: readonly string[],
  when: unknown,
): readonly LoadedSettingsFile[] => files.filter(({ settings }) => valueAtPath(settings, path) === when)

/** Whether `root` is in a trusted folder. Undefined: no rule covers it. `rules` has the format of the agents' `trustedFolders.json`. */
export function isFolderTrusted(rules: unknown, root: string): boolean | undefined {
  if (!isRecord(rules)) return undefined
  const applicable = Object.entries(rules).filter(([folder, rule]) => {
    const place = rule === 'TRUST_PARENT' ? folder.replace(/\/[^/]+\/?$/, '') : folder
    return root === place || root.startsWith(`${place.replace(/\/$/, '')}/`)
  })
  // the nearest folder decides
  const [nearest] = applicable.sort(([a], [b]) => b.length - a.length)
  return nearest && nearest[1] !== 'DO_NOT_TRUST'
}

/** A boolean setting; the last file that has it wins. */
export function effectiveSwitch(
  files: readonly LoadedSettingsFile[],
  path: readonly string[],
): 'on' | 'off' | undefined {
  const values = files.map(file => valueAtPath(file.settings, path)).filter(value => value !== undefined)
  const last = values.at(-1)
  return last === undefined ? undefined : last === false ? 'off' : 'on'
}

/** The user's trust rules for the sandbox: paths in the project are mapped to the sandbox project. */
export function folderTrustForSandbox(
  path: string,
  { files, root }: DiagnosticContext,
  { project }: HeadlessSandbox,
  { undecided }: { readonly undecided: boolean },
): Readonly<Record<string, string>> {
  const settings = files.find(file => file.path === path)?.settings
  const moved = (folder: string): string =>
    folder === root || folder.startsWith(`${root}/`) ? project + folder.slice(root.length) : folder
  // a rule for a folder above the project may be what trusts it: the sandbox project then gets a rule of its own below
  const mapped = isRecord(settings)
    ? Object.fromEntries(Object.entries(settings).map(([folder, rule]) => [moved(folder), rule]))
    : {}
  const rules = (isFolderTrusted(settings, root) ?? undecided) ? { ...mapped, [project]: 'TRUST_FOLDER' } : mapped
  return { [path.slice(2)]: JSON.stringify(rules) }
}

/** A policy matches one MCP tool, or all tools of a server with `*`. */
export const serverWildcardOf = (name: string): string | undefined =>
  isServerNameOnly(name) ? `${name}__*` : undefined

/** `mcp__server` without a tool: a matcher that matches nothing. */
export const isServerNameOnly = (name: string): boolean => /^mcp__[\w-]+$/.test(name) && !name.slice(5).includes('__')
