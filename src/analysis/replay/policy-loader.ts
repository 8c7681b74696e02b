import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Gate, Mode } from '../../engine/index.ts'
import { type Folders, type LazyDependencies, policyInput, projectRoot } from '../../hook/index.ts'
import { didYouMean, loadPolicy, type Policy, type PolicyError } from '../../policy/index.ts'
import { compilePolicyInMemory, findGateByName } from '../policy-test/index.ts'
import type { ComparedPolicies } from './replay-session.ts'

/** What replay tries: the policy in force, another file instead of the project's policy, or one gate in another mode. */
export type ReplayVariant =
  | { readonly kind: 'in force' }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'mode'; readonly gate: string; readonly mode: Exclude<Mode, 'off'> }

interface PolicyLoaderOptions {
  readonly parts: LazyDependencies
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly trial: ReplayVariant
  /** replay only sessions of this project; absent: all projects */
  readonly only?: string
  /** folder to assume for sessions that do not record one */
  readonly here: string
}

/** The variant cannot be replayed; `problems` lists the errors of its policy. */
export class UnusableVariantError extends Error {
  constructor(
    message: string,
    readonly problems: readonly PolicyError[] = [],
  ) {
    super(message)
  }
}

/** Loads the policies for the folder in which a session began, each once. Does not write to the store. */
export class ReplayPolicyLoader {
  private readonly known = new Map<string, ComparedPolicies | undefined>()

  constructor(private readonly setting: PolicyLoaderOptions) {}

  /** Undefined for a session of another project than `only`. */
  policiesFor(cwd: string = this.setting.here): ComparedPolicies | undefined {
    if (this.known.has(cwd)) return this.known.get(cwd)
    const { only, folders } = this.setting
    const root = projectRoot({ cwd, home: folders.home })
    const policies = only !== undefined && !isInFolder(cwd, only) && root !== only ? undefined : this.load(root, cwd)
    this.known.set(cwd, policies)
    return policies
  }

  private load(root: string, cwd: string): ComparedPolicies {
    const { parts, folders, env, trial } = this.setting
    const input = { ...policyInput(root, cwd, env, folders, parts), stores: false }
    const { program } = loadPolicy(input, parts.compiler)
    if (trial.kind === 'in force') return { root, after: program }
    if (trial.kind === 'mode') {
      const { after, gate } = withGateMode(program, trial)
      const isOwn = program.gates.every(candidate => candidate.scope !== 'project')
      const hasTransitionTexts = gate.transitions.some(
        ({ message, context }) => message !== undefined || context !== undefined,
      )
      return { root, before: program, after, ...(isOwn && { onlyDifference: { gate: gate.id, hasTransitionTexts } }) }
    }
    const file = resolve(trial.file)
    const compiled = compilePolicyInMemory(
      { root, folder: cwd },
      { parts, folders, everyLayer: true },
      { file, text: readPolicyText(file) },
    )
    if (compiled.problems.length > 0) throw new UnusableVariantError(`${trial.file} does not load`, compiled.problems)
    return { root, before: program, after: compiled.program }
  }
}

const isInFolder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

function readPolicyText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UnusableVariantError(`there is no policy \`${file}\``)
  }
}

function withGateMode(
  program: Policy,
  { gate: name, mode }: { gate: string; mode: Exclude<Mode, 'off'> },
): { after: Policy; gate: Gate } {
  const found = findGateByName(program.gates, name)
  if (!found) {
    const names = program.gates.filter(({ layer }) => layer !== 'built-in').map(gate => gate.name)
    const guess = didYouMean(name, names) ?? (names.length > 0 ? `there are ${names.slice(0, 8).join(', ')}` : '')
    throw new UnusableVariantError(`unknown gate \`${name}\`${guess ? `; ${guess}` : ''}`)
  }
  const gates = program.gates.map(gate => (gate === found ? { ...gate, mode } : gate))
  return { after: { ...program, gates }, gate: found }
}
