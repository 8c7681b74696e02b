import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { Layer } from '../../engine/index.ts'
import { tryOr } from '../../lib/errors.ts'
import type { LastGoodLayer } from '../cache/last-good.ts'
import { estimateCosts } from '../cost-estimate.ts'
import type { LayerFile } from '../find/layers.ts'
import { isOwnPolicy } from '../find/layers.ts'
import { DAEMON_LIMIT_SHARE, ProjectLimits } from '../limits.ts'
import { isKnownRegex } from '../packs/prebuilt-packs.ts'
import { type PolicyError, policyErrorOfFile } from '../parse/policy-error.ts'
import type { GateExport, Policy } from '../policy.ts'
import type { CompileInput, InactiveRoute } from './context.ts'
import type { FileContents } from './files.ts'
import { fallBackToEarlierVersion, isCandidateUsed, type LayerCandidate, toLayerCandidate } from './layer-candidate.ts'
import type { LayerReport } from './layer-report.ts'
import { createDenyingGate, sessionNoticesOf } from './notices.ts'
import { asTrusted, type PreparedLayer, prepareLayer } from './prepare-layer.ts'
import { type AssembledProgram, assembleProgram } from './program.ts'

export { readHookReplacements } from '../packs/replacements.ts'

export {
  type EventShorthand,
  parseEventShorthand,
  type ShorthandContext,
  type ShorthandResult,
} from '../parse/event-shorthand.ts'
export { readWrittenUnless } from '../parse/written-unless.ts'
export { gatesAsYaml, gatesOfShortForms } from '../short-forms/gates-as-yaml.ts'

export interface CompileJob {
  readonly input: CompileInput
  /** strongest layer first */
  readonly layers: readonly LayerFile[]
  /** the hash a person has trusted for this policy file */
  trusted(file: string): string | undefined
  lastGood(file: string): LastGoodLayer | null
}

export interface CompileResult {
  readonly program: Policy
  readonly layers: readonly LayerReport[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  readonly inactive: readonly InactiveRoute[]
  readonly exports: readonly GateExport[]
  /** every file that was looked up, with its content */
  readonly files: ReadonlyMap<string, string | null>
  /** programs that `needs` asked for, and whether they are installed */
  readonly commands: Readonly<Record<string, boolean>>
  /** environment variables used in file names; null: not set */
  readonly variables: Readonly<Record<string, string | null>>
  /** layers whose current version compiled */
  readonly compiledLayers: readonly Omit<LastGoodLayer, 'savedAt'>[]
}

interface CompileAttempt {
  readonly candidate: LayerCandidate
  readonly layer: PreparedLayer
}

/** Policies of a project can fail one after another, each for a name that another defined. After this many rounds all are left out. */
const MAX_ROUNDS_BY_LAYER: Readonly<Record<Layer, number>> = {
  nested: 2,
  project: 3,
  'built-in': Infinity,
  user: Infinity,
  managed: Infinity,
}

const giveUpCandidate = (candidate: LayerCandidate): LayerCandidate => ({
  ...candidate,
  state: 'left-out',
  errors: [
    policyErrorOfFile(
      candidate.found.file,
      'other policies of the project are broken, and this one was compiled with them',
    ),
  ],
})

/** Compiles the current version of each layer. A layer that fails falls back on its last good version, and all are compiled again. */
export function compilePolicy(job: CompileJob): CompileResult {
  const seen: FileContents = new Map()
  const builtIn = listPackNames(job.input.packsDir)
  const fallBack = (candidate: LayerCandidate, errors: readonly PolicyError[]): LayerCandidate =>
    fallBackToEarlierVersion(candidate, [...errors].sort(compareLocations), job.lastGood(candidate.found.file), seen)
  let candidates = job.layers.map(found => {
    const candidate = toLayerCandidate(found, seen)
    return found.problem ? fallBack(candidate, [found.problem]) : candidate
  })
  let limits: ProjectLimits | undefined
  for (let round = 1; ; round++) {
    limits = new ProjectLimits(limits, job.input.onOverLimit ? DAEMON_LIMIT_SHARE : 1)
    const counted = limits
    const tried = candidates
      .filter(isCandidateUsed)
      .map(candidate => ({ candidate, layer: prepareLayer(candidate.version, job.input, builtIn, counted) }))
    // an unreadable layer defines no names: assembling now would report errors in layers that use these names
    const readable = tried.every(hasNoProblems)
    const assembled = readable
      ? assembleProgram(
          tried.map(({ layer }) => layer),
          job.input,
          layer => isTrusted(layer, job),
        )
      : null
    if (assembled && tried.every(hasNoProblems)) return buildResult(job, candidates, tried, assembled, seen)
    const broken = tried.filter(one => !hasNoProblems(one))
    candidates = candidates.map(candidate => {
      const fault = broken.find(one => one.candidate === candidate)
      if (fault) return fallBack(candidate, fault.layer.notes.problems)
      return round >= MAX_ROUNDS_BY_LAYER[candidate.found.layer] && isCandidateUsed(candidate)
        ? giveUpCandidate(candidate)
        : candidate
    })
  }
}

const compareLocations = (a: PolicyError, b: PolicyError): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1

const hasNoProblems = ({ layer }: CompileAttempt): boolean => layer.notes.problems.length === 0

const isTrusted = ({ version, trustHash }: PreparedLayer, job: CompileJob): boolean =>
  isOwnPolicy(version) || (version.exposed === undefined && job.trusted(version.file) === trustHash)

function buildResult(
  job: CompileJob,
  candidates: readonly LayerCandidate[],
  tried: readonly CompileAttempt[],
  assembled: AssembledProgram,
  seen: FileContents,
): CompileResult {
  const layers = candidates.map(candidate =>
    buildLayerReport(job, candidate, tried.find(one => one.candidate === candidate)?.layer),
  )
  const { program, exports } = assembled
  // errors of an older version do not concern the current file
  const current = tried.filter(({ candidate }) => candidate.state === 'active')
  const denying = layers.filter(report => report.state === 'denies').map(report => createDenyingGate(report, job.input))
  const gates = [...denying, ...program.gates]
  const sizeOf = (pattern: string) =>
    isKnownRegex(pattern) ? TYPICAL_REGEX_SIZE : (job.input.regex.size?.(pattern) ?? 0)
  return {
    program: {
      ...program,
      gates,
      weights: estimateCosts(gates, sizeOf),
      notices: layers.flatMap(report => sessionNoticesOf(report, job.input)),
    },
    layers,
    problems: [...layers.flatMap(report => report.errors), ...current.flatMap(({ layer }) => layer.notes.faults)],
    warnings: current.flatMap(({ layer }) => layer.notes.warnings),
    inactive: tried.flatMap(({ layer }) => layer.notes.inactive),
    exports,
    files: seen,
    commands: Object.fromEntries(tried.flatMap(({ layer }) => [...layer.notes.commands])),
    variables: Object.fromEntries(tried.flatMap(({ layer }) => [...layer.notes.variables])),
    compiledLayers: candidates
      .filter(({ state }) => state === 'active')
      .map(({ version, reads }) => ({ file: version.file, text: version.text, refs: [...reads] })),
  }
}

/** Assumed size of a built-in pack's regex. Compiling all of them only to measure would double the compile time. */
const TYPICAL_REGEX_SIZE = 60

function buildLayerReport(
  job: CompileJob,
  { found, state, errors, savedAt }: LayerCandidate,
  layer: PreparedLayer | undefined,
): LayerReport {
  const trusted = layer !== undefined && isTrusted(layer, job)
  const { exposed } = layer?.version ?? found
  const needsTrust = isOwnPolicy({ ...found, exposed }) ? [] : (layer?.notes.needsTrust ?? [])
  return {
    layer: found.layer,
    file: found.file,
    state,
    packs: (layer ? asTrusted(layer, trusted).units : []).flatMap(({ pack, file }) =>
      pack ? [{ id: pack.id, file, options: pack.set }] : [],
    ),
    ...(exposed !== undefined && { exposed }),
    trusted,
    errors,
    needsTrust,
    untrusted: trusted ? [] : needsTrust,
    trustHash: layer?.trustHash ?? '',
    ...(state === 'last-good' && savedAt !== undefined ? { savedAt } : {}),
  }
}

/** The policy hash in audit records. Covers all inputs (`key`), the files read, and the last good versions used instead of broken files. */
export function hashPolicy(
  key: string,
  { files, commands, variables }: CompileResult,
  recalled: readonly { readonly layer: LastGoodLayer | null }[],
): string {
  const before = recalled.map(({ layer }) => layer && [layer.text, layer.refs])
  return createHash('sha256')
    .update(JSON.stringify([key, [...files], commands, variables, before]))
    .digest('hex')
}

export const listPackNames = (folder: string): readonly string[] =>
  tryOr([], () =>
    readdirSync(folder, { withFileTypes: true })
      .flatMap(one => (one.isDirectory() ? one.name : []))
      .sort(),
  )
