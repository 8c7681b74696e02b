import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { asFound, type Candidate, demote, isUsed } from './compile/candidate.ts'
import type { CompileInput, Inactive } from './compile/context.ts'
import type { Contents } from './compile/files.ts'
import { denyingGate, noticesOf, stuckNotice } from './compile/notices.ts'
import { inForce, type Prepared, prepare } from './compile/prepare.ts'
import { type Assembled, assemble } from './compile/program.ts'
import { earlier, refutedAt } from './compile/refuted.ts'
import type { Kept } from './last-good.ts'
import type { LayerFile } from './layers.ts'
import type { Export, Policy } from './policy.ts'
import type { PolicyError } from './problem.ts'
import type { Refuted } from './proofs.ts'
import type { LayerReport } from './report.ts'

export { readShort, type ShortEvent, type ShortGround, type ShortReading } from './short.ts'

export interface Job {
  readonly input: CompileInput
  /** strongest first */
  readonly layers: readonly LayerFile[]
  /** the hash a person has trusted for this policy file */
  trusted(file: string): string | undefined
  /** versions that compiled, the newest first */
  lastGood(file: string): readonly Kept[]
  /** what the hash of a policy of these layers is made of, beside what they refer to */
  key(layers: readonly LayerFile[]): string
  /** how an agent gets stuck in the policy of this hash, where that was found out */
  refuted(hash: string): Refuted | undefined
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

interface Attempt {
  readonly candidates: readonly Candidate[]
  readonly compiled: Compiled
}

interface Tried {
  readonly candidate: Candidate
  readonly layer: Prepared
}

/** The layers as they are, or as they were before an agent could get stuck in them. */
export function compilePolicy(job: Job): Compiled {
  const seen: Contents = new Map()
  const builtIn = packNames(job.input.packsDir)
  const found = job.layers.map(layer => {
    const candidate = asFound(layer, seen)
    return layer.problem ? demote(candidate, [layer.problem], job.lastGood, seen) : candidate
  })
  const first = attempt(job, found, builtIn, seen)
  const refuted = job.refuted(first.compiled.program.hash)
  if (!refuted) return first.compiled
  const problem = refutedAt(refuted, job.input)
  for (const candidates of earlier(first.candidates, problem, job.lastGood, seen)) {
    const next = attempt(job, candidates, builtIn, seen)
    const isWhole = next.candidates.every((one, at) => isUsed(one) === isUsed(candidates[at] ?? one))
    if (isWhole && !job.refuted(next.compiled.program.hash)) return next.compiled
  }
  return toldOf(first.compiled, stuckNotice(problem, job.input))
}

/** To be without any of it would be worse: it is in force, said at every session start, and never what another falls back on. */
const toldOf = (compiled: Compiled, notice: string): Compiled => ({
  ...compiled,
  program: { ...compiled.program, notices: [...compiled.program.notices, notice] },
  good: [],
})

/** Tries these versions; a layer that fails falls back on its own, and all are tried again. */
function attempt(job: Job, given: readonly Candidate[], builtIn: readonly string[], seen: Contents): Attempt {
  let candidates = given
  for (;;) {
    const tried = candidates
      .filter(isUsed)
      .map(candidate => ({ candidate, layer: prepare(candidate.version, job.input, builtIn) }))
    // a layer that cannot be read takes its names along: that must not look like a mistake of those who use them
    const readable = tried.every(isFine)
    const assembled = readable
      ? assemble(
          tried.map(({ layer }) => layer),
          job.input,
          layer => isTrusted(layer, job),
        )
      : null
    if (assembled && tried.every(isFine))
      return { candidates, compiled: finish(job, candidates, tried, assembled, seen) }
    const broken = tried.filter(one => !isFine(one))
    candidates = candidates.map(candidate => {
      const fault = broken.find(one => one.candidate === candidate)
      return fault ? demote(candidate, [...fault.layer.notes.problems].sort(byPlace), job.lastGood, seen) : candidate
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
  const commands = Object.fromEntries(tried.flatMap(({ layer }) => [...layer.notes.commands]))
  const variables = Object.fromEntries(tried.flatMap(({ layer }) => [...layer.notes.variables]))
  const hash = hashOf(job, candidates, { commands, variables })
  return {
    program: {
      ...program,
      hash,
      gates: [...denying, ...program.gates],
      notices: layers.flatMap(report => noticesOf(report, job.input)),
    },
    layers,
    problems: [...layers.flatMap(report => report.errors), ...current.flatMap(({ layer }) => layer.notes.faults)],
    warnings: current.flatMap(({ layer }) => layer.notes.warnings),
    inactive: tried.flatMap(({ layer }) => layer.notes.inactive),
    exports,
    files: seen,
    commands,
    variables,
    good: candidates
      .filter(({ state }) => state === 'active')
      .map(({ version, asked }) => ({ file: version.file, text: version.text, refs: [...asked], hash })),
  }
}

function reportOf(job: Job, { found, state, errors, savedAt }: Candidate, layer: Prepared | undefined): LayerReport {
  const trusted = layer !== undefined && isTrusted(layer, job)
  const covers = found.layer === 'project' || found.layer === 'nested' ? (layer?.notes.covers ?? []) : []
  return {
    layer: found.layer,
    file: found.file,
    state,
    packs: (layer ? inForce(layer, trusted).units : []).flatMap(({ pack }) =>
      pack ? [{ id: pack.id, set: pack.set }] : [],
    ),
    trusted,
    errors,
    covers,
    inert: trusted ? [] : covers,
    trustHash: layer?.trustHash ?? '',
    ...(state === 'last-good' && savedAt !== undefined ? { savedAt } : {}),
  }
}

/** What a record and a proof know the policy by: the versions in force and what they read, whatever is in the files meanwhile. */
function hashOf(job: Job, candidates: readonly Candidate[], facts: Pick<Compiled, 'commands' | 'variables'>): string {
  const layers = candidates.map(one => (isUsed(one) ? { ...one.found, text: one.version.text } : one.found))
  const files = new Map(candidates.filter(isUsed).flatMap(({ asked }) => [...asked]))
  return createHash('sha256')
    .update(JSON.stringify([job.key(layers), [...files], facts.commands, facts.variables]))
    .digest('hex')
}

function packNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .flatMap(one => (one.isDirectory() ? one.name : []))
      .sort()
  } catch {
    return []
  }
}
