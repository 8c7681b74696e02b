import { dirname } from 'node:path'
import type { VerificationFinding, VerificationResult } from '../../../../analysis/verify/index.ts'
import { policyInput } from '../../../../hook/index.ts'
import { loadPolicy, type Policy, trustRequestsOf } from '../../../../policy/index.ts'
import type { Terminal } from '../../command.ts'
import { cliDependencies, type ProjectContext } from '../../project.ts'

/** Whether a person trusts what a project's policy loosens or runs. Each state puts another policy in force. */
type TrustState = 'untrusted' | 'trusted' | 'mixed'

export interface TrustVariant {
  /** absent: trust does not change what is verified */
  readonly trust?: TrustState
  readonly policy: Policy
  /** this variant is in force on this machine */
  readonly isHere: boolean
}

/** The policy before and after a person trusts it, with every program installed, so that the proof holds on other machines too. */
export function trustVariantsOf(
  { root, cwd, folders, policy }: ProjectContext,
  env: Terminal['env'],
): readonly TrustVariant[] {
  const covered = trustRequestsOf(policy.layers)
  const input = { ...policyInput(root, cwd, env, folders, cliDependencies, () => true), stores: false }
  const here = policy.inactive.length === 0 ? policy.program : loadPolicy(input, cliDependencies.compiler).program
  if (covered.length === 0) return [{ policy: here, isHere: true }]
  const trust = covered.every(request => request.trusted)
    ? 'trusted'
    : covered.some(request => request.trusted)
      ? 'mixed'
      : 'untrusted'
  const variants = (['untrusted', 'trusted'] as const).map(text => {
    const pinned = text === 'trusted' ? covered.map(({ file, hash }) => [dirname(file), hash]) : []
    const pins = Object.fromEntries(pinned)
    return {
      trust: text,
      policy: text === trust ? here : loadPolicy({ ...input, trust: pins }, cliDependencies.compiler).program,
      isHere: text === trust,
    }
  })
  const all: readonly TrustVariant[] = [
    ...variants,
    ...(trust === 'mixed' ? [{ trust, policy: here, isHere: true } as const] : []),
  ]
  const isSame = all.every(variant => verifiedPartsOf(variant.policy) === verifiedPartsOf(here))
  return isSame ? [{ policy: here, isHere: true }] : all
}

/** The parts of a policy that verification depends on. */
const verifiedPartsOf = ({ gates, hooks, allow }: Policy): string => JSON.stringify([gates, hooks, allow])

export interface VerifiedVariant {
  readonly variant: TrustVariant
  readonly proof: VerificationResult
}

/** Merges the results. A finding of only one variant says when it applies. */
export function mergeVerifications(all: readonly VerifiedVariant[]): VerificationResult {
  const [first, ...rest] = all
  if (!first || rest.length === 0) return first?.proof ?? EMPTY_VERIFICATION
  const proofs = all.map(variant => variant.proof)
  const within = proofs.flatMap(proof => proof.withinSteps ?? [])
  const sum = (of: (proof: VerificationResult) => number): number =>
    proofs.reduce((total, proof) => total + of(proof), 0)
  return {
    findings: mergeFindings(all, ({ findings }) => findings),
    inconclusive: mergeFindings(all, ({ inconclusive }) => inconclusive),
    unchecked: [...new Set(proofs.flatMap(proof => proof.unchecked))],
    notes: [...new Set(proofs.flatMap(proof => proof.notes))],
    complete: proofs.every(proof => proof.complete),
    ...(within.length > 0 && { withinSteps: Math.min(...within) }),
    gates: Math.max(...proofs.map(proof => proof.gates)),
    states: sum(verificationResult => verificationResult.states),
    events: sum(verificationResult => verificationResult.events),
  }
}

const EMPTY_VERIFICATION: VerificationResult = {
  ...{ findings: [], inconclusive: [], unchecked: [], notes: [], complete: true },
  ...{ gates: 0, states: 0, events: 0 },
}

const findingKey = ({ kind, what, clients }: VerificationFinding): string => JSON.stringify([kind, what, clients])

function mergeFindings(
  all: readonly VerifiedVariant[],
  of: (proof: VerificationResult) => readonly VerificationFinding[],
): readonly VerificationFinding[] {
  const keys = [...new Set(all.flatMap(({ proof }) => of(proof).map(findingKey)))]
  return keys.flatMap(key => {
    const found = all.flatMap(({ variant, proof }) =>
      of(proof).flatMap(finding => (findingKey(finding) === key ? { variant, finding } : [])),
    )
    const [last] = found.slice(-1)
    if (!last) return []
    if (found.length === all.length) return [{ ...last.finding, ...commonFixOf(found.map(({ finding }) => finding)) }]
    const trusts = found.flatMap(({ variant }) => variant.trust ?? [])
    const isEarly = !trusts.includes('trusted')
    // a rule that becomes useful once trusted is not reported as unused
    if (isEarly && UNUSED_RULE_KINDS.has(last.finding.kind)) return []
    const what = `${isEarly ? 'until' : 'once'} it is trusted, ${last.finding.what}`
    const when = isEarly ? ('untrusted' as const) : ('trusted' as const)
    return [
      { ...last.finding, what, when, ...(!found.some(({ variant }) => variant.isHere) && { inForce: false as const }) },
    ]
  })
}

const UNUSED_RULE_KINDS: ReadonlySet<VerificationFinding['kind']> = new Set(['unreachable', 'shadowed'])

/** Fixes that work in every variant. If there are none, the fixes of the last variant, marked as untried. */
function commonFixOf(all: readonly VerificationFinding[]): Pick<VerificationFinding, 'fix' | 'fixUnverified'> {
  const text = (item: VerificationFinding['fix'][number]): string => JSON.stringify([item.at, item.advice])
  const last = all.at(-1)?.fix ?? []
  const fix = last.filter(candidate => all.every(other => other.fix.some(same => text(same) === text(candidate))))
  return fix.length > 0 || last.length === 0 ? { fix } : { fix: last, fixUnverified: true }
}
