import { dirname, resolve } from 'node:path'
import type { CompileResult } from '../../policy/compile/compiler.ts'
import { type Policy, readRegularFile } from '../../policy/index.ts'
import type { TestDoc, TestsDoc } from '../../policy/parse/policy-tests.ts'
import {
  compilePolicyInMemory,
  findTestProject,
  inlinePolicy,
  type ReplacementPolicy,
  type TestCompileOptions,
  type TestProject,
} from './compile-policy.ts'
import { reportProblem, type TestDiagnostics } from './diagnostics.ts'

/** The policy that a test runs under. */
export interface TestPolicy {
  readonly program: Policy
  readonly site: TestProject
  /** identifies the policy among those of the test run */
  readonly key: string
}

/** Where a policy comes from. A policy file named by a test, or an inline policy, counts as a project of its own. */
interface PolicyRoot {
  readonly root: string
  readonly project: string
}

/** The policies of all tests. Each is compiled once. */
export class TestPolicies {
  readonly read = new Set<string>()
  readonly #known = new Map<string, CompileResult>()

  constructor(
    private readonly workshop: TestCompileOptions,
    private readonly isNew: (key: string, compiled: CompileResult, from: PolicyRoot) => void,
  ) {}

  /** The policy named by the test, else the policy beside the test file. Undefined if it is missing or does not load. */
  policyFor(holder: TestsDoc | TestDoc, file: string, diagnostics: TestDiagnostics): TestPolicy | undefined {
    const site = findTestProject(dirname(file), this.workshop.folders.home)
    const instead = holder.policy === undefined ? undefined : this.#instead(holder, file, diagnostics)
    if (instead === null) return undefined
    if (!instead && site.folder === undefined) {
      reportProblem(diagnostics, holder, 'tests', NO_POLICY)
      return undefined
    }
    const key = JSON.stringify([site, instead ?? null])
    const compiled = this.#compiled(key, site, instead)
    if (compiled.problems.length === 0) return { program: compiled.program, site, key }
    reportProblem(
      diagnostics,
      holder,
      holder.policy === undefined ? 'tests' : 'policy',
      `its policy does not load: ${compiled.problems[0]?.message}`,
    )
    return undefined
  }

  #compiled(key: string, site: TestProject, instead: ReplacementPolicy | undefined): CompileResult {
    const known = this.#known.get(key)
    if (known) return known
    const compiled = compilePolicyInMemory(site, this.workshop, instead)
    this.#known.set(key, compiled)
    for (const file of [...compiled.files.keys(), ...compiled.layers.map(layer => layer.file)]) this.read.add(file)
    // Problems of an inline policy have no lines of their own: `policyFor` reports them at the test.
    this.isNew(key, instead?.inline ? { ...compiled, problems: [] } : compiled, {
      root: site.root,
      project: instead ? key : site.root,
    })
    return compiled
  }

  /** Null if the file cannot be read; the problem is reported here. */
  #instead(holder: TestsDoc | TestDoc, file: string, diagnostics: TestDiagnostics): ReplacementPolicy | null {
    const { policy } = holder
    if (typeof policy !== 'string') return inlinePolicy(file, JSON.parse(JSON.stringify(policy)))
    const path = resolve(dirname(file), policy)
    this.read.add(path)
    try {
      return { file: path, text: readRegularFile(path) }
    } catch {
      reportProblem(diagnostics, holder, 'policy', `there is no policy \`${policy}\``)
      return null
    }
  }
}

const NO_POLICY = 'there is no signalbox.yaml beside these tests or above them, and they name no `policy`'
