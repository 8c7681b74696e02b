import type { EventKind, Layer, Regex } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
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

/** What the compiler is told from outside; it asks nobody else. */
export interface CompileInput {
  readonly root: string
  readonly home: string
  readonly packsDir: string
  /** what `$policy`, `$store` … stand for: path patterns, or names of variables for `$bypass-env` */
  readonly sets: Readonly<Record<string, readonly string[]>>
  /** any client's own tool name → the canonical one */
  readonly toolNames: Readonly<Record<string, string>>
  readonly clients: readonly ClientInfo[]
  checkRegex(pattern: string): string | null
  hasCommand(name: string): boolean
  /** a variable of the caller's environment */
  env(name: string): string | undefined
  readonly regex: Regex
  /**
   * What takes long is not compiled. `give up`: an error says so, for others to compile it; `leave out`: so is the policy of the project
   * that takes it, because to compile it was begun before, and did not end.
   */
  readonly onOverLimit?: 'give up' | 'leave out'
}

/** A client as far as a policy has to know it. */
export interface ClientInfo {
  readonly id: string
  readonly title: string
  /** the call that starts a subagent: `{spawn.tool}` and `{spawn.field}` of a text */
  readonly spawns: { readonly tool: string; readonly field: string }
  /** events it can be refused at */
  readonly refuses: readonly EventKind[]
  /** events it has at all */
  readonly tells: readonly EventKind[]
  /** the end of a shell call says how it ended */
  readonly reportsExit: boolean
  /** its own names of events → ours, where it has others */
  readonly eventNames?: ReadonlyMap<string, EventKind>
  /** by which name a task is given to it, if it can be */
  readonly backend?: string
}

/** Files a layer refers to. Every one asked for is remembered, found or not: its appearance changes the program too. */
export interface FileReader {
  read(file: string): string | null
}

/** One document that brings gates: the layer's own, or an instance of a pack it uses. */
export interface PolicyUnit {
  readonly layer: Layer
  /** of gate ids: `project`, or `nested/packages/app` */
  readonly prefix: string
  readonly file: string
  /** what its templates are relative to */
  readonly folder: string
  readonly parts: PolicyPartsDoc
  /** options of the pack as text, for `{name}` in its texts */
  readonly options: ReadonlyMap<string, string>
  readonly pack?: PackUse
}

/** Options from a file of the project that is not a policy. */
export interface ConfiguredOptions {
  /** what may count at once: it only restricts */
  readonly strict: JsonObject
  /** with what waits for trust */
  readonly all: JsonObject
  /** one line for each option that waits */
  readonly covers: readonly string[]
}

interface PackUse {
  readonly id: string
  readonly builtIn: boolean
  /** what a file of the project says of its options */
  readonly configured: ConfiguredOptions
  /** options and settings other than the pack's own, as text */
  readonly set: Readonly<Record<string, string>>
  /** with options of its user's: its examples tell of it as it comes, and are not judged */
  readonly tailored: boolean
  /** `mode`, `onError`, `bypass`, `off`, `messages` as the layer gave them */
  readonly common: CommonOptionsDoc
  /** the policy that uses it */
  readonly file: string
  readonly folder: string
}

/** A gate as others may name it. */
export interface GateReference {
  readonly name: string
  readonly id: string
  readonly layer: Layer
  readonly stateful: boolean
  /** variables that bypass it: they are in `$bypass-env` */
  readonly bypassedBy: readonly string[]
  /** what its first transition with `since` waits for: `operations.opened.50` */
  readonly countdown?: string | undefined
  /** by name; null when the schema could not be read */
  readonly captures: ReadonlyMap<string, JsonObject | null>
}

/** What compiling one layer found out besides the program. */
export interface CompileNotes {
  readonly problems: PolicyError[]
  /** what is wrong with one part and takes only that part out of force */
  readonly faults: PolicyError[]
  readonly warnings: PolicyError[]
  /** routes of built-in packs that need a program which is not there */
  readonly inactive: InactiveRoute[]
  /** what runs code or loosens, one line each */
  readonly covers: string[]
  readonly env: Set<string>
  readonly commands: Map<string, boolean>
  /** variables that file names are made of, as they were; null: not set */
  readonly variables: Map<string, string | null>
  /** absent: the layer may hold whatever it wants */
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
  covers: [],
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
  readonly names: readonly GateReference[]
  readonly notes: CompileNotes
  /** loosenings of a project count only when a person trusted them */
  readonly trusted: boolean
}

export type DocumentKey = string | number

const createProblem = (
  place: SourceLocation | undefined,
  file: string,
  message: string,
  advice: ErrorAdvice = {},
): PolicyError =>
  place
    ? policyErrorAt(place, message, advice)
    : { ...policyErrorOfFile(file, message, advice.help), ...errorFlagsOf(advice) }

export function reportError(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  message: string,
  advice?: ErrorAdvice,
): void {
  context.notes.limits?.spend('remarks', 1)
  context.notes.problems.push(createProblem(context.places.value(holder, key), context.unit.file, message, advice))
}

export function reportErrorAtKey(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  message: string,
  advice?: ErrorAdvice,
): void {
  context.notes.limits?.spend('remarks', 1)
  context.notes.problems.push(createProblem(context.places.key(holder, key), context.unit.file, message, advice))
}

export function reportWarning(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  message: string,
  advice?: ErrorAdvice,
): void {
  context.notes.limits?.spend('remarks', 1)
  context.notes.warnings.push(createProblem(context.places.key(holder, key), context.unit.file, message, advice))
}

export function reportWarningAtValue(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  message: string,
  advice?: ErrorAdvice,
): void {
  context.notes.limits?.spend('remarks', 1)
  context.notes.warnings.push(createProblem(context.places.value(holder, key), context.unit.file, message, advice))
}

/** A pattern that is written as other programs want it, and matches nothing here: with one of these `check` fails. */
export function reportNoEffect(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  message: string,
  advice: ErrorAdvice,
): void {
  reportWarningAtValue(context, holder, key, message, { ...advice, noEffect: true })
}

/** Notes something that runs code or loosens; true when it may take effect. */
export function mayLoosen(context: CompileContext, holder: object, key: DocumentKey, what: string): boolean {
  context.notes.limits?.spend('rules', 1)
  context.notes.covers.push(`${what} (${locationLabelOf(context, holder, key)})`)
  return context.trusted
}

/** `signalbox.yaml:12`, for explanations. */
export function locationLabelOf(context: CompileContext, holder: object, key: DocumentKey): string {
  const place = context.places.key(holder, key)
  return place ? `${fileLabel(place.file, context.input)}:${place.line}` : fileLabel(context.unit.file, context.input)
}

export interface LabelRoots {
  readonly root: string
  readonly home: string
  readonly packsDir: string
}

/** A file as a person would name it from the project's root. */
export function fileLabel(file: string, { root, home, packsDir }: LabelRoots): string {
  if (file.startsWith(`${root}/`)) return file.slice(root.length + 1)
  if (file.startsWith(`${packsDir}/`)) return `packs${file.slice(packsDir.length)}`
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}

export const toList = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : isReadonlyList(value) ? value : [value]

const isReadonlyList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value)
