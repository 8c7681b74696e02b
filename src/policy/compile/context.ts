import type { EventKind, Layer, Regex } from '../../engine/index.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import type { ProjectLimits } from '../limits.ts'
import {
  type ErrorAdvice,
  errorFlagsOf,
  type PolicyError,
  policyErrorAt,
  policyErrorOfFile,
  type SourceLocation,
} from '../parse/policy-error.ts'
import type { SourceMap } from '../parse/source-map.ts'
import type { CommonOptionsDoc, PolicyPartsDoc } from '../schema/policy.ts'
import type { Countdown } from './values/countdown.ts'

/** All inputs of the compiler. */
export interface CompileInput {
  readonly root: string
  readonly home: string
  readonly packsDir: string
  /** values of `$policy`, `$store` …: path patterns, or variable names for `$bypass-env` */
  readonly sets: Readonly<Record<string, readonly string[]>>
  /** any client's own tool name → the canonical name */
  readonly toolNames: Readonly<Record<string, string>>
  readonly clients: readonly ClientInfo[]
  checkRegex(pattern: string): string | null
  hasCommand(name: string): boolean
  /** a variable of the caller's environment */
  env(name: string): string | undefined
  readonly regex: Regex
  /**
   * Lowers the limits. `give up`: exceeding them throws, so that another process compiles. `leave out`: the project's policy is left
   * out, because an earlier compilation started and did not end.
   */
  readonly onOverLimit?: 'give up' | 'leave out'
}

/** What a policy has to know about a client. */
export interface ClientInfo {
  readonly id: string
  readonly toolNames?: Readonly<Record<string, string>>
  readonly hasCanonicalTools?: true
  readonly toolsWithoutEvents?: readonly string[]
  readonly title: string
  /** the tool call that starts a subagent: `{spawn.tool}` and `{spawn.field}` in texts */
  readonly spawns: { readonly tool: string; readonly field: string }
  /** events at which the client can be denied */
  readonly refuses: readonly EventKind[]
  /** events that the client sends */
  readonly textEvents: readonly EventKind[]
  /** the end of a shell call includes its exit status */
  readonly reportsExit: boolean
  /** the client's own event names → ours, where they differ */
  readonly eventNames?: ReadonlyMap<string, EventKind>
  /** name of the client as a backend, if tasks can be given to it */
  readonly backend?: string
}

/** Reads the files a layer refers to. Missing files are recorded too: creating one changes the program. */
export interface FileReader {
  read(file: string): string | null
}

/** A document with gates: the layer's own, or a pack that the layer uses. */
export interface PolicyUnit {
  readonly layer: Layer
  /** prefix of gate ids: `project`, or `nested/packages/app` */
  readonly prefix: string
  readonly file: string
  /** the folder that template paths are relative to */
  readonly folder: string
  readonly parts: PolicyPartsDoc
  /** options of the pack as text, for `{name}` in its texts */
  readonly options: ReadonlyMap<string, string>
  readonly pack?: PackUse
  /** why other users could have written the layer's file */
  readonly exposed?: string | undefined
}

/** Options from a project file that is not a policy. */
export interface ProjectFileOptions {
  /** options that only restrict, and so need no trust */
  readonly strict: JsonObject
  /** `strict` and the options that need trust */
  readonly all: JsonObject
  /** one line for each option that needs trust */
  readonly needsTrust: readonly string[]
}

interface PackUse {
  readonly id: string
  readonly builtIn: boolean
  /** options set by a project file */
  readonly configured: ProjectFileOptions
  /** options and settings that differ from the pack's defaults, as text */
  readonly set: Readonly<Record<string, string>>
  /** the pack's own options were changed: its examples describe the defaults, so they are not checked */
  readonly hasOwnOptions: boolean
  /** `mode`, `onError`, `bypass`, `off`, `messages` as written in the layer */
  readonly common: CommonOptionsDoc
  /** the packs that it uses itself */
  readonly uses?: readonly Json[]
  /** the pack that uses it; absent if the layer does */
  readonly usedBy?: PackUse
  /** the policy that uses the pack, or the file of the pack that does */
  readonly file: string
  readonly folder: string
}

/** A gate as conditions and texts can refer to it. */
export interface ReferableGate {
  readonly name: string
  readonly id: string
  readonly layer: Layer
  readonly stateful: boolean
  /** variables that bypass the gate: they are in `$bypass-env` */
  readonly bypassedBy: readonly string[]
  /** only a text with `{remaining}` asks */
  countdowns(): readonly Countdown[]
  /** schemas by capture name; null if the schema could not be read */
  readonly captures: ReadonlyMap<string, JsonObject | null>
}

/** Everything that compiling a layer collects besides the program. */
export interface CompileNotes {
  readonly problems: PolicyError[]
  /** errors that disable only the part they are in */
  readonly faults: PolicyError[]
  readonly warnings: PolicyError[]
  /** routes of built-in packs whose required program is not installed */
  readonly inactive: InactiveRoute[]
  /** everything that runs code or loosens, one line each */
  readonly needsTrust: string[]
  readonly env: Set<string>
  readonly commands: Map<string, boolean>
  /** values of environment variables used in file names; null: not set */
  readonly variables: Map<string, string | null>
  /** absent: the layer has no limits */
  readonly limits?: ProjectLimits | undefined
}

export interface InactiveRoute {
  readonly pack: string
  readonly route: string
  readonly command: string
}

export const createNotes = (limits?: ProjectLimits): CompileNotes => ({
  problems: [],
  faults: [],
  warnings: [],
  inactive: [],
  needsTrust: [],
  env: new Set(),
  commands: new Map(),
  variables: new Map(),
  limits,
})

export interface CompileContext {
  readonly input: CompileInput
  readonly unit: PolicyUnit
  readonly places: SourceMap
  readonly files: FileReader
  readonly names: readonly ReferableGate[]
  /** the definitions that are being compiled, outermost first */
  readonly definitions?: readonly string[]
  readonly notes: CompileNotes
  /** what a project's policy loosens takes effect only if a person has trusted it */
  readonly trusted: boolean
}

export type DocumentKey = string | number

const createProblem = (
  location: SourceLocation | undefined,
  file: string,
  message: string,
  advice: ErrorAdvice = {},
): PolicyError =>
  location
    ? policyErrorAt(location, message, advice)
    : { ...policyErrorOfFile(file, message, advice.help), ...errorFlagsOf(advice) }

type Report = (context: CompileContext, holder: object, key: DocumentKey, message: string, advice?: ErrorAdvice) => void

const isSameProblem = (one: PolicyError, other: PolicyError): boolean =>
  one.message === other.message && one.line === other.line && one.column === other.column && one.file === other.file

const reporter =
  (list: 'problems' | 'warnings', place: 'key' | 'value'): Report =>
  ({ notes, places, unit, definitions }, holder, key, message, advice) => {
    const problem = createProblem(places[place](holder, key), unit.file, message, advice)
    // a definition is compiled wherever it is used
    if (definitions && notes[list].some(known => isSameProblem(known, problem))) return
    notes.limits?.spend('remarks', 1)
    notes[list].push(problem)
  }

export const reportError = reporter('problems', 'value')
export const reportErrorAtKey = reporter('problems', 'key')
export const reportWarning = reporter('warnings', 'key')
export const reportWarningAtValue = reporter('warnings', 'value')

/** Reports a pattern in another program's syntax that matches nothing here. `check` fails on such a warning. */
export function reportNoEffect(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  message: string,
  advice: ErrorAdvice,
): void {
  reportWarningAtValue(context, holder, key, message, { ...advice, noEffect: true })
}

/** Records something that runs code or loosens. Returns whether it may take effect. */
export function mayLoosen(context: CompileContext, holder: object, key: DocumentKey, what: string): boolean {
  context.notes.limits?.spend('rules', 1)
  context.notes.needsTrust.push(`${what} (${locationLabelOf(context, holder, key)})`)
  return context.trusted
}

/** `signalbox.yaml:12`, for explanations. */
export function locationLabelOf(context: CompileContext, holder: object, key: DocumentKey): string {
  const location = context.places.key(holder, key)
  return location
    ? `${fileLabel(location.file, context.input)}:${location.line}`
    : fileLabel(context.unit.file, context.input)
}

export interface LabelRoots {
  readonly root: string
  readonly home: string
  readonly packsDir: string
}

/** A file name relative to the project root, the packs folder or `~`. */
export function fileLabel(file: string, { root, home, packsDir }: LabelRoots): string {
  if (file.startsWith(`${root}/`)) return file.slice(root.length + 1)
  if (file.startsWith(`${packsDir}/`)) return `packs${file.slice(packsDir.length)}`
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}

export const toList = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : isReadonlyList(value) ? value : [value]

const isReadonlyList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value)
