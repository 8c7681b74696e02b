import { dirname, resolve } from 'node:path'
import { type Client, clientById } from '../../clients/index.ts'
import { type CodeGate, type GateState, type Regex, toAbsolute } from '../../engine/index.ts'
import { startCodeGates } from '../../hook/index.ts'
import { isObject } from '../../lib/json.ts'
import type { CompileResult } from '../../policy/compile/compiler.ts'
import { type Policy, type PolicyError, readRegularFile, relabelLocation } from '../../policy/index.ts'
import {
  type PolicyTestSource,
  readPolicyTests,
  type TestDoc,
  type TestStepDoc,
  type TestsDoc,
} from '../../policy/parse/policy-tests.ts'
import { explainEvent, listNearMisses } from '../explain/index.ts'
import { factsGiven, passingCodeGates, playStep, SimulatedSessions, triggeredTransitions } from '../simulator/index.ts'
import type { TestCompileOptions } from './compile-policy.ts'
import { Coverage, type CoverageReport } from './coverage.ts'
import { reportProblem, type TestDiagnostics } from './diagnostics.ts'
import { findGateByName, findMismatches, type Mismatch, normalizeExpectation } from './expectation.ts'
import { nonBlockingModeHints, unendedCallHints } from './hints.ts'
import { TestPolicies, type TestPolicy } from './test-policies.ts'
import { clientsOfTest, validateTest } from './validate-test.ts'

/** An event with an expectation. */
export interface ExpectationStep {
  /** which of the session's events, from 1 */
  readonly nth: number
  readonly line: number
  readonly event: string
}

export interface TestFailure {
  /** which of the session's events, from 1 */
  readonly nth: number
  readonly line: number
  /** the event as written in the test */
  readonly event: string
  readonly mismatches: readonly Mismatch[]
  /** hints, such as values that the client does not report */
  readonly notes: readonly string[]
}

export interface CaseResult {
  readonly name: string
  readonly client: string
  readonly file: string
  readonly line: number
  readonly events: number
  readonly steps: readonly ExpectationStep[]
  readonly failures: readonly TestFailure[]
  readonly ms: number
}

export interface TestReport {
  readonly cases: readonly CaseResult[]
  /** problems of the tests or the policy: a file with problems is not run */
  readonly problems: readonly PolicyError[]
  /** what the run left out */
  readonly notes: readonly string[]
  readonly covered: CoverageReport
  readonly ms: number
  /** all files read, for watch mode */
  readonly read: readonly string[]
}

export interface TestRunOptions extends TestCompileOptions {
  readonly regex: Regex
  /** path of the worker that runs code gates; absent: code gates always pass */
  readonly codeWorker?: string
  /** redacts the secrets of a payload, which can come from a real session, in output texts */
  readonly redactorFor?: (payload: unknown) => (text: string) => string
}

/** The default client. It reports everything that a policy can ask about. */
const DEFAULT_CLIENT = 'claude-code'

export function runTests(files: readonly string[], running: TestRunOptions): TestReport {
  const began = performance.now()
  const runner = new TestRunner(running)
  for (const file of files) runner.runFile(file)
  return { ...runner.report(), ms: Math.round(performance.now() - began) }
}

class TestRunner {
  readonly #cases: CaseResult[] = []
  readonly #problems: PolicyError[] = []
  readonly #notes = new Set<string>()
  readonly #coverage = new Coverage()
  readonly #read = new Set<string>()
  readonly #policies: TestPolicies

  constructor(readonly running: TestRunOptions) {
    this.#policies = new TestPolicies(running, (key, compiled, from) => this.#plan(key, compiled, from))
  }

  report(): Omit<TestReport, 'ms'> {
    const problems = sortProblems([
      ...new Map(this.#problems.map(problem => [JSON.stringify(problem), problem])).values(),
    ])
    const report = { cases: this.#cases, problems, notes: [...this.#notes] }
    return { ...report, covered: this.#coverage.covered, read: [...this.#read, ...this.#policies.read] }
  }

  #plan(key: string, { program, problems }: CompileResult, { root, project }: { root: string; project: string }): void {
    const { home } = this.running.folders
    this.#problems.push(...problems)
    if (problems.length === 0)
      this.#coverage.plan(key, program.gates, {
        project,
        place: at => relabelLocation(at, { root, home }, file => file),
      })
    if (program.hooks.length > 0) this.#notes.add('tests do not run the hooks of the policy')
    if (this.running.codeWorker !== undefined) return
    for (const { name, code } of program.gates)
      if (code !== undefined) this.#notes.add(`gate ${name} is written in code and was not run; \`--code\` runs it`)
  }

  runFile(file: string): void {
    this.#read.add(file)
    const source = readPolicyTests(file)
    this.#problems.push(...source.problems)
    if (source.doc === null) return
    const { checkRegex } = this.running.parts.regex()
    const diagnostics: TestDiagnostics = {
      file,
      places: source.places,
      checkRegex,
      problems: [],
      partial: source.partial,
    }
    const plans = source.doc.tests.map(test => this.#planTest(test, source.doc ?? { tests: [] }, source, diagnostics))
    if (plans.length === 0 && source.problems.length === 0)
      reportProblem(diagnostics, source.doc, 'tests', 'there is no test in this file')
    const names = source.doc.tests.map(test => test.name)
    for (const [nth, test] of source.doc.tests.entries())
      if (names.indexOf(test.name) !== nth)
        reportProblem(diagnostics, test, 'name', `there are two tests named \`${test.name}\``)
    this.#problems.push(...diagnostics.problems)
    // Tests of a file with a problem prove nothing.
    if (diagnostics.problems.length + source.problems.length > 0) return
    for (const plan of plans) if (plan) this.#runPlan(plan, source)
  }

  #planTest(
    test: TestDoc,
    doc: TestsDoc,
    { file }: PolicyTestSource,
    diagnostics: TestDiagnostics,
  ): TestPlan | undefined {
    const holder = test.given === undefined ? doc : test
    const named = test.client === undefined ? clientsOfTest(doc, diagnostics) : clientsOfTest(test, diagnostics)
    const policy = this.#policies.policyFor(test.policy === undefined ? doc : test, file, diagnostics)
    if (!policy) return undefined
    validateTest(test, holder, policy.program, diagnostics)
    const env = { ...doc.env, ...factsGiven(doc), ...test.env, ...factsGiven(test) }
    const fallback = clientById(DEFAULT_CLIENT)
    return {
      ...policy,
      test,
      env,
      given: holder.given ?? {},
      files: [test.files ?? doc.files ?? []].flat(),
      clients: named.length > 0 ? named : fallback ? [fallback] : [],
    }
  }

  #runPlan(plan: TestPlan, { file, places }: PolicyTestSource): void {
    for (const client of plan.clients) {
      const began = performance.now()
      const sessions = new SimulatedSessions({ ...this.#machine(plan), client, given: initialStatesOf(plan) })
      const { events } = plan.test
      const placeOf = (step: TestStepDoc) => ({ nth: events.indexOf(step) + 1, line: places.self(step)?.line ?? 1 })
      const failures = events
        .flatMap(step => this.#runStep(step, sessions, plan, file) ?? [])
        .map(({ step, ...failure }) => ({ ...failure, ...placeOf(step) }))
      this.#cases.push({
        name: plan.test.name,
        client: client.id,
        file,
        line: places.self(plan.test)?.line ?? 1,
        events: events.length,
        steps: events
          .filter(step => step.expect !== undefined)
          .map(step => ({ ...placeOf(step), event: this.#maskFor(step.payload)(eventText(step)) })),
        failures,
        ms: Math.round(performance.now() - began),
      })
    }
  }

  #runStep(step: TestStepDoc, sessions: SimulatedSessions, { env, key, test }: TestPlan, file: string) {
    const payload =
      typeof step.payload === 'string' ? this.#payload(resolve(dirname(file), step.payload)) : step.payload
    const hide = this.#maskFor(payload)
    const event = hide(eventText(step))
    const done = playStep(payload === undefined ? step : { ...step, payload }, sessions, env)
    if ('problem' in done) {
      const wrong = { key: 'event', expected: 'an event', got: hide(done.problem) }
      return { step, event, mismatches: [wrong], notes: [] }
    }
    const { client, played, answer: last, env: vars } = done
    for (const playedEvent of played)
      this.#coverage.note(key, playedEvent.record.matches, triggeredTransitions(playedEvent))
    if (!last || step.expect === undefined) return undefined
    const wrong = findMismatches(
      normalizeExpectation(step.expect),
      { ...last, session: played.at(-1)?.session ?? last.session },
      { program: sessions.options.program, regex: this.running.regex },
    )
    if (wrong.length === 0) return undefined
    const errors = played.flatMap(({ record }) => record.errors)
    const { decision, gate } = normalizeExpectation(step.expect)
    // Near misses do not help if the test expects `pass`.
    const isMissing = decision !== 'pass' && wrong.some(mismatch => mismatch.key === 'decision')
    const why = isMissing ? listNearMisses(explainEvent(last), gate) : []
    const earlier = test.events.slice(0, test.events.indexOf(step))
    const hints = [
      ...nonBlockingModeHints(decision, last),
      ...unendedCallHints(earlier, { wrong, result: last, sessions, client, vars }),
    ]
    const mismatches = wrong.map(mismatch => ({ ...mismatch, got: hide(mismatch.got) }))
    return { step, event, mismatches, notes: [...why, ...hints, ...done.notes, ...errors].map(hide) }
  }

  #payload(file: string) {
    this.#read.add(file)
    return readJson(file)
  }

  #maskFor(payload: unknown): (text: string) => string {
    return payload === undefined || !this.running.redactorFor ? text => text : this.running.redactorFor(payload)
  }

  #machine({ program, site, files: named }: TestPlan) {
    const files = named.map(file => toAbsolute(file, site.root, this.running.folders.home))
    const { folders, regex, codeWorker } = this.running
    const codeGates = codeWorker === undefined ? passingCodeGates(program) : codeGatesOf(program, codeWorker)
    return { program, root: site.root, home: folders.home, files, tools: { regex, codeGates } }
  }
}

/** Groups problems by file in order of discovery, each file by line and column. */
function sortProblems(problems: readonly PolicyError[]): readonly PolicyError[] {
  const files = [...new Set(problems.map(problem => problem.file))]
  return files.flatMap(file =>
    problems.filter(problem => problem.file === file).sort((a, b) => a.line - b.line || a.column - b.column),
  )
}

interface TestPlan extends TestPolicy {
  readonly test: TestDoc
  readonly clients: readonly Client[]
  readonly env: NonNullable<TestDoc['env']>
  readonly given: NonNullable<TestDoc['given']>
  /** the files that are there at the start */
  readonly files: readonly string[]
}

/** The `given` states, keyed by gate id instead of gate name. */
const initialStatesOf = ({ given, program }: TestPlan): Readonly<Record<string, GateState>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([key, state]) => {
      const [name = '', ...agent] = key.split('@')
      const gate = findGateByName(program.gates, name)
      return gate ? [[[gate.id, ...agent].join('@'), state]] : []
    }),
  )

const HOUR_MS = 3_600_000

const codeGatesOf = (program: Policy, worker: string): Readonly<Record<string, CodeGate>> =>
  startCodeGates(program, { worker, budgetMs: program.settings.budgetMs, lastMs: process.uptime() * 1000 + HOUR_MS })

/** Undefined if the file is not a JSON object. */
function readJson(file: string): { [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(file))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The step as written in the test, without its expectation. */
function eventText({ expect: _, ...step }: TestStepDoc): string {
  const words = Object.entries(step).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return words.join(', ')
}
