import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { Layer } from '../pattern/index.ts'
import { isKnownRegex } from './ahead.ts'
import { asFound, type Candidate, demote, isUsed } from './compile/candidate.ts'
import type { CompileInput, Inactive } from './compile/context.ts'
import type { Contents } from './compile/files.ts'
import { denyingGate, noticesOf } from './compile/notices.ts'
import { inForce, type Prepared, prepare } from './compile/prepare.ts'
import { type Assembled, assemble } from './compile/program.ts'
import { weightsOf } from './cost-estimate.ts'
import type { Kept } from './last-good.ts'
import type { LayerFile } from './layers.ts'
import { DAEMON_LIMIT_SHARE, Limits } from './limits.ts'
import type { Export, Policy } from './policy.ts'
import { type PolicyError, problemOf } from './problem.ts'
import type { LayerReport } from './report.ts'

export { replacementOf } from './replacements.ts'

export { readShort, type ShortEvent, type ShortGround, type ShortReading } from './short.ts'
export { writtenUnless } from './written.ts'

export interface Job {
  readonly input: CompileInput
  /** strongest first */
  readonly layers: readonly LayerFile[]
  /** the hash a person has trusted for this policy file */
  trusted(file: string): string | undefined
  lastGood(file: string): Kept | null
}

export interface Compiled {
  readonly program: Policy
  readonly layers: readonly LayerReport[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  readonly inactive: readonly Inactive[]
  readonly exports: readonly Export[]
  /** every file that was looked for on the disk, with its content */
  readonly files: ReadonlyMap<string, string | null>
  /** what `needs` asked for */
  readonly commands: Readonly<Record<string, boolean>>
  /** variables that file names are made of; null: not set */
  readonly variables: Readonly<Record<string, string | null>>
  /** layers that compiled as they are now */
  readonly good: readonly Omit<Kept, 'savedAt'>[]
}

interface Tried {
  readonly candidate: Candidate
  readonly layer: Prepared
}

/** Policies of a project that fall one after the other, each for want of what another brought in, are given up together. */
const GIVEN_UP_AFTER: Readonly<Record<Layer, number>> = {
  nested: 2,
  project: 3,
  'built-in': Infinity,
  user: Infinity,
  managed: Infinity,
}

const givenUp = (candidate: Candidate): Candidate => ({
  ...candidate,
  state: 'left-out',
  errors: [
    problemOf(candidate.found.file, 'other policies of the project are broken, and this one was compiled with them'),
  ],
})

/** Tries the layers as they are; one that fails falls back on its own, and all are tried again. */
export function compilePolicy(job: Job): Compiled {
  const seen: Contents = new Map()
  const builtIn = packNames(job.input.packsDir)
  const fallBack = (candidate: Candidate, errors: readonly PolicyError[]): Candidate =>
    demote(candidate, [...errors].sort(byPlace), job.lastGood(candidate.found.file), seen)
  let candidates = job.layers.map(found => {
    const candidate = asFound(found, seen)
    return found.problem ? fallBack(candidate, [found.problem]) : candidate
  })
  let limits: Limits | undefined
  for (let round = 1; ; round++) {
    limits = new Limits(limits, job.input.onOverLimit ? DAEMON_LIMIT_SHARE : 1)
    const counted = limits
    const tried = candidates
      .filter(isUsed)
      .map(candidate => ({ candidate, layer: prepare(candidate.version, job.input, builtIn, counted) }))
    // a layer that cannot be read takes its names along: that must not look like a mistake of those who use them
    const readable = tried.every(isFine)
    const assembled = readable
      ? assemble(
          tried.map(({ layer }) => layer),
          job.input,
          layer => isTrusted(layer, job),
        )
      : null
    if (assembled && tried.every(isFine)) return finish(job, candidates, tried, assembled, seen)
    const broken = tried.filter(one => !isFine(one))
    candidates = candidates.map(candidate => {
      const fault = broken.find(one => one.candidate === candidate)
      if (fault) return fallBack(candidate, fault.layer.notes.problems)
      return round >= GIVEN_UP_AFTER[candidate.found.layer] && isUsed(candidate) ? givenUp(candidate) : candidate
    })
  }
}

const byPlace = (a: PolicyError, b: PolicyError): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1

const isFine = ({ layer }: Tried): boolean => layer.notes.problems.length === 0

/** Only what comes with a repository has to be trusted. */
const isTrusted = ({ version, trustHash }: Prepared, job: Job): boolean =>
  (version.layer !== 'project' && version.layer !== 'nested') || job.trusted(version.file) === trustHash

function finish(
  job: Job,
  candidates: readonly Candidate[],
  tried: readonly Tried[],
  assembled: Assembled,
  seen: Contents,
): Compiled {
  const layers = candidates.map(candidate =>
    reportOf(job, candidate, tried.find(one => one.candidate === candidate)?.layer),
  )
  const { program, exports } = assembled
  // what was wrong with an older version is no fault of the file as it is now
  const current = tried.filter(({ candidate }) => candidate.state === 'active')
  const denying = layers.filter(report => report.state === 'denies').map(report => denyingGate(report, job.input))
  const gates = [...denying, ...program.gates]
  const sizeOf = (pattern: string) => (isKnownRegex(pattern) ? USUAL_SIZE : (job.input.regex.size?.(pattern) ?? 0))
  return {
    program: {
      ...program,
      gates,
      weights: weightsOf(gates, sizeOf),
      notices: layers.flatMap(report => noticesOf(report, job.input)),
    },
    layers,
    problems: [...layers.flatMap(report => report.errors), ...current.flatMap(({ layer }) => layer.notes.faults)],
    warnings: current.flatMap(({ layer }) => layer.notes.warnings),
    inactive: tried.flatMap(({ layer }) => layer.notes.inactive),
    exports,
    files: seen,
    commands: Object.fromEntries(tried.flatMap(({ layer }) => [...layer.notes.commands])),
    variables: Object.fromEntries(tried.flatMap(({ layer }) => [...layer.notes.variables])),
    good: candidates
      .filter(({ state }) => state === 'active')
      .map(({ version, asked }) => ({ file: version.file, text: version.text, refs: [...asked] })),
  }
}

/** Instructions of a regex of a built-in pack: to compile them all, only to know, would double the time of a compilation. */
const USUAL_SIZE = 60

function reportOf(job: Job, { found, state, errors, savedAt }: Candidate, layer: Prepared | undefined): LayerReport {
  const trusted = layer !== undefined && isTrusted(layer, job)
  const covers = found.layer === 'project' || found.layer === 'nested' ? (layer?.notes.covers ?? []) : []
  return {
    layer: found.layer,
    file: found.file,
    state,
    packs: (layer ? inForce(layer, trusted).units : []).flatMap(({ pack, file }) =>
      pack ? [{ id: pack.id, file, set: pack.set }] : [],
    ),
    trusted,
    errors,
    covers,
    inert: trusted ? [] : covers,
    trustHash: layer?.trustHash ?? '',
    ...(state === 'last-good' && savedAt !== undefined ? { savedAt } : {}),
  }
}

/** What a record knows the policy by: `key` is all that the compilation was given, the files are what it read, and what it fell back on. */
export function hashOf(
  key: string,
  { files, commands, variables }: Compiled,
  recalled: readonly { readonly kept: Kept | null }[],
): string {
  const before = recalled.map(({ kept }) => kept && [kept.text, kept.refs])
  return createHash('sha256')
    .update(JSON.stringify([key, [...files], commands, variables, before]))
    .digest('hex')
}

export function packNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .flatMap(one => (one.isDirectory() ? one.name : []))
      .sort()
  } catch {
    return []
  }
}
