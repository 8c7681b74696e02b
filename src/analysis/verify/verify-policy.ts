import type { Event, Gate, Regex } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Policy } from '../../policy/index.ts'
import { BuiltInGateFilter } from './abstraction/built-in-gate-filter.ts'
import { atomsOfGate, isStateDependent } from './abstraction/condition-atoms.ts'
import { EquivalenceClassCache } from './abstraction/equivalence-classes.ts'
import { type Environment, partitionEnvironments } from './abstraction/input-partitioning/environment-partition.ts'
import { collectConstants } from './abstraction/input-partitioning/policy-constants.ts'
import { createSampleCalls } from './abstraction/input-partitioning/sample-calls.ts'
import { MayMustEvaluator } from './abstraction/may-must-evaluator.ts'
import { abstractProgram } from './abstraction/program-abstraction.ts'
import type { ShorthandEvent } from './abstraction/residual-condition.ts'
import { type RealPathResolver, reportSymlinkFindings, withoutSymlinkedPaths } from './abstraction/symlinked-paths.ts'
import { AnalysisContext } from './analysis-context.ts'
import type { AnalysisInputs } from './analysis-inputs.ts'
import { memoizeParser, memoizeRegex } from './memoized-inputs.ts'
import { findMissingHumanMention, findUnopenableGate } from './properties/missing-guidance.ts'
import { RuleCoverage } from './properties/rule-coverage/rule-coverage.ts'
import { findSelfDefeatingTransitions } from './properties/self-defeating-transition.ts'
import { createSuggestionLookup } from './properties/suggestions/suggested-calls.ts'
import { findVacuousRules } from './properties/vacuous-rule.ts'
import type { VerificationFinding } from './report/finding.ts'
import { mergeFindings } from './report/merge-findings.ts'
import { clientLimitationNotes, MAX_VERIFIED_ROUTES, uncoveredParts } from './report/notes.ts'
import { toProjectRelative } from './report/project-relative.ts'
import { findingsByDefault, findingsOnlyInSetup, isDefaultSetup } from './setup-specific.ts'
import { type ClientProfile, canSendCall, clientProfilesOf, type VerifierClient } from './system/client-profile.ts'
import type { ExplorationBounds } from './system/reachability-graph.ts'
import { Verifier } from './verifier.ts'

export interface VerificationResult {
  readonly findings: readonly VerificationFinding[]
  /** possible faults that could not be decided; with any of them the policy is not proven */
  readonly inconclusive: readonly VerificationFinding[]
  /** parts of the policy that could not be analysed; with any of them the policy is not proven */
  readonly unchecked: readonly string[]
  /** remarks that are no fault: limits of a client, findings that appear once every gate blocks */
  readonly notes: readonly string[]
  /** every exploration was finished; none was cut short by a bound */
  readonly complete: boolean
  /** depth in steps that all explorations reached, if one was cut short */
  readonly withinSteps?: number
  /** number of stateful gates */
  readonly gates: number
  readonly states: number
  readonly events: number
}

export interface VerificationInput {
  readonly policy: Policy
  readonly clients: readonly VerifierClient[]
  readonly regex: Regex
  readonly root: string
  readonly home?: string
  /** parses the shorthand form of an event */
  parseEvent(short: ShorthandEvent): Event | null
  /** resolves symbolic links; absent: the file system is not read */
  readonly realPath?: RealPathResolver
  /** the rule's `unless` as written in the policy file; null: it has none */
  writtenUnless?(at: string, rule: string): JsonObject | null | undefined
  readonly bounds?: Partial<ExplorationBounds>
  /** verifies the gates' modes as written; skips the second run with every gate in mode `block` */
  readonly isCurrentModesOnly?: boolean
  /** called with the client names before each client profile is verified, and with the number of states while it is */
  progress?(what: string): void
}

const DEFAULT_BOUNDS: ExplorationBounds = { states: 4000, events: 240_000 }

/** Verifies that no agent can get stuck under this policy: explores every reachable state for every client profile. */
export function verifyPolicy(input: VerificationInput): VerificationResult {
  const proof = verifyWithSymlinks(input)
  const { policy } = input
  if (input.isCurrentModesOnly || policy.gates.every(gate => gate.mode === 'block' || !isVerifiedGate(gate)))
    return proof
  const allBlocking = { ...policy, gates: policy.gates.map(gate => ({ ...gate, mode: 'block' as const })) }
  const known = new Set(proof.findings.map(finding => finding.what))
  const withAllBlocking = verifyAsGiven({ ...input, policy: allBlocking }).findings.filter(
    finding => BLOCKING_KINDS.has(finding.kind) && !known.has(finding.what),
  )
  return {
    ...proof,
    notes: [
      ...proof.notes,
      ...withAllBlocking.map(finding => `once every gate blocks, ${finding.what}: ${finding.why}`),
    ],
  }
}

/** Adds, as doubts, findings that exist only because paths named in the policy are symbolic links. */
function verifyWithSymlinks(input: VerificationInput): VerificationResult {
  const proof = verifyAsGiven(input)
  const { policy, root, realPath } = input
  const { program, links } = realPath ? withoutSymlinkedPaths(policy, root, realPath) : { program: policy, links: [] }
  if (links.length === 0) return proof
  const linked = verifyAsGiven({ ...input, policy: program })
  const known = [...proof.findings, ...proof.inconclusive]
  return {
    ...proof,
    inconclusive: [
      ...proof.inconclusive,
      ...reportSymlinkFindings([...linked.findings, ...linked.inconclusive], known, links),
    ],
  }
}

const isDeadlockFinding = ({ kind }: VerificationFinding): boolean => kind === 'deadlock'

/** Kinds of finding that stop an agent. They are also computed for gates in `warn` or `observe`, which may block later. */
const BLOCKING_KINDS: ReadonlySet<string> = new Set(['deadlock', 'cannot-end', 'misleading'])

/** The inputs of a verification, the gates to verify and one profile for each group of equivalent clients. */
export interface VerificationSetup {
  readonly inputs: AnalysisInputs
  readonly gates: readonly Gate[]
  readonly profiles: readonly ClientProfile[]
}

export function prepareVerification(input: VerificationInput, env: Environment = {}): VerificationSetup {
  const whole = abstractProgram(input.policy)
  const verified = { ...whole, gates: whole.gates.filter(isVerifiedGate) }
  const { root, parseEvent } = input
  const regex = memoizeRegex(input.regex)
  const constants = collectConstants(verified, regex, root)
  const tools = { regex, parseEvent: memoizeParser(parseEvent) }
  const builtIn = new BuiltInGateFilter({ ...whole, gates: whole.gates.filter(gate => !isVerifiedGate(gate)) }, input)
  const mayMust = new MayMustEvaluator(verified, regex, root, { env })
  const classes = new EquivalenceClassCache(mayMust, createSuggestionLookup(tools))
  const isNarrow = input.clients.some(({ toolsWithoutEvents }) => toolsWithoutEvents?.includes('Write'))
  const sampled = createSampleCalls(verified, constants, tools, { isNarrow }).map(call => ({
    ...call,
    shorthand: toProjectRelative(call.shorthand, input),
  }))
  const calls = builtIn.selectRepresentatives(sampled, classes.of(verified.gates))
  const program = builtIn.isNeeded ? whole : verified
  const bounds = { ...DEFAULT_BOUNDS, ...input.bounds }
  const written = (at: string, rule: string) => input.writtenUnless?.(at, rule)
  const inputs: AnalysisInputs = {
    program,
    constants,
    calls,
    parser: tools,
    root,
    env,
    bounds,
    mayMust,
    classes,
    writtenUnless: written,
  }
  const like = classes.of(verified.gates)
  const kindsFor = (client: VerifierClient): readonly string[] =>
    [...new Set(calls.filter(call => canSendCall(client, call.beforeEvent)).map(call => like.classOfCall(call)))].sort()
  return { inputs, gates: verified.gates, profiles: clientProfilesOf(input.clients, verified, kindsFor) }
}

function verifyAsGiven(input: VerificationInput): VerificationResult {
  const { policy } = input
  const environments = partitionEnvironments({ ...policy, gates: policy.gates.filter(isVerifiedGate) }, input.regex)
  const setups = environments.all.flatMap(env => {
    const { profiles, ...setup } = prepareVerification(input, env)
    return profiles.map(profile => ({ ...setup, view: profile }))
  })
  const coverage = new RuleCoverage()
  let eventsLeft = { ...DEFAULT_BOUNDS, ...input.bounds }.events
  const verifiers = setups.map(({ inputs, gates, view: profile }, at) => {
    const names = profile.clients.join(', ')
    input.progress?.(names)
    const progress = (states: number): void => input.progress?.(`${names} (${states.toLocaleString('en')} states)`)
    // events that one client profile did not use are available to the next ones
    const share = { ...inputs.bounds, events: Math.floor(eventsLeft / (setups.length - at)) }
    const verifier = new Verifier(new AnalysisContext({ ...inputs, bounds: share, progress }, profile), gates, coverage)
    verifier.run()
    eventsLeft -= verifier.context.cost
    return verifier
  })
  const complete = verifiers.every(verifier => verifier.cutDepth === undefined)
  const gates = setups[0]?.gates ?? []
  const analysable = gates.filter(isAnalysableGate)
  // no agent gets to work, so no rule can fire: vacuous rules are searched once the deadlock is fixed
  const isNeverWorking = verifiers.some(
    ({ context, findings }) => context.dependencies.mayRefuseEveryPrompt && findings.some(isDeadlockFinding),
  )
  const vacuous =
    complete && !isNeverWorking
      ? findVacuousRules(
          verifiers.map(verifier => verifier.context),
          analysable,
          coverage,
        )
      : { findings: [], undecided: [] }
  const deadlocked = new Set(
    verifiers.flatMap(verifier => verifier.findings.filter(isDeadlockFinding).map(({ gate }) => gate)),
  )
  const contexts = verifiers.map(verifier => verifier.context)
  const merged = mergeFindings(
    [
      ...verifiers.flatMap(verifier =>
        isDefaultSetup(verifier) ? findingsByDefault(verifier, verifiers) : findingsOnlyInSetup(verifier, verifiers),
      ),
      ...input.policy.gates
        .filter(isVerifiedGate)
        .flatMap(gate => [...findMissingHumanMention(gate), ...findUnopenableGate(gate)]),
      ...vacuous.findings,
      ...analysable
        .filter(gate => !deadlocked.has(gate.id))
        .flatMap(gate => findSelfDefeatingTransitions(contexts, gate)),
    ],
    input.clients,
  )
  const depths = verifiers.flatMap(verifier => verifier.cutDepth ?? [])
  return {
    findings: merged.filter(finding => finding.inconclusiveReason === undefined),
    inconclusive: merged.filter(finding => finding.inconclusiveReason !== undefined),
    unchecked: [...uncoveredParts(policy, vacuous.undecided), ...describeUntriedVariables(environments.incomplete)],
    notes: [
      ...clientLimitationNotes(input.policy, input.clients),
      ...new Set(verifiers.flatMap(verifier => verifier.notes)),
    ],
    complete,
    ...(depths.length > 0 && { withinSteps: Math.min(...depths) }),
    gates: gates.filter(gate => gate.initial !== undefined).length,
    states: verifiers.reduce((sum, verifier) => sum + verifier.context.states, 0),
    events: verifiers.reduce((sum, verifier) => sum + verifier.context.events, 0),
  }
}

const describeUntriedVariables = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`not every value of ${names.join(', ')} was tried`]

/** Excludes stateless built-in gates: they only refuse, and no state depends on the values they name. Long route tables are data. */
const isVerifiedGate = (gate: Gate): boolean =>
  gate.layer !== 'built-in' || gate.initial !== undefined || atomsOfGate(gate).some(isStateDependent)

const isAnalysableGate = (gate: Gate): boolean =>
  (gate.routes?.list.length ?? 0) <= MAX_VERIFIED_ROUTES && gate.code === undefined

type ResultSummary = Pick<VerificationResult, 'complete'> &
  Readonly<Record<'findings' | 'inconclusive' | 'unchecked', readonly unknown[]>>

export const isProven = ({ findings, inconclusive, unchecked, complete }: ResultSummary): boolean =>
  complete && findings.length + inconclusive.length + unchecked.length === 0
