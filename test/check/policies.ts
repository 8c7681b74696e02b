import type { VerificationResult } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

/** The proof of a policy as it is written, on these agents. */
export const proofs = (policy: string, ids: readonly string[] = ['claude-code']): VerificationResult =>
  withPolicies((load, root) => proofOf(load(policy), root, { clients: clients.filter(one => ids.includes(one.id)) }))

/** What it found, by kind and gate. */
export const found = ({ findings, inconclusive }: VerificationResult) => ({
  findings: findings.map(({ kind, gate, what }) => `${kind} ${gate?.replace(/^\w+\//, '') ?? what}`),
  inconclusive: inconclusive.map(({ kind, gate, what }) => `${kind} ${gate?.replace(/^\w+\//, '') ?? what}`),
})
