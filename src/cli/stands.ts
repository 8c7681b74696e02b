import { dirname } from 'node:path'
import type { Finding, Proof } from '../check/index.ts'
import { loadPolicy, type Policy, whatTrustCovers } from '../policy/index.ts'
import { policyInput } from '../runtime/index.ts'
import type { Terminal } from './command.ts'
import { type Project, parts } from './project.ts'

/** How a person stands to what a project's policy loosens or runs: each has another policy in force. */
type Standing = 'untrusted' | 'trusted' | 'mixed'

export interface Stand {
  /** absent: trust makes no difference to what is proven */
  readonly standing?: Standing
  readonly policy: Policy
  /** it is the one in force here */
  readonly isHere: boolean
}

/** The policy before and after a person has trusted it, with every program there: what is proven holds on another machine too. */
export function standsOf({ root, cwd, folders, policy }: Project, env: Terminal['env']): readonly Stand[] {
  const covered = whatTrustCovers(policy.layers)
  const input = { ...policyInput(root, cwd, env, folders, parts, () => true), stores: false }
  const here = policy.inactive.length === 0 ? policy.program : loadPolicy(input, parts.compiler).program
  if (covered.length === 0) return [{ policy: here, isHere: true }]
  const standing = covered.every(one => one.trusted)
    ? 'trusted'
    : covered.some(one => one.trusted)
      ? 'mixed'
      : 'untrusted'
  const ways = (['untrusted', 'trusted'] as const).map(one => {
    const pinned = one === 'trusted' ? covered.map(({ file, hash }) => [dirname(file), hash]) : []
    const trust = Object.fromEntries(pinned)
    return {
      standing: one,
      policy: one === standing ? here : loadPolicy({ ...input, trust }, parts.compiler).program,
      isHere: one === standing,
    }
  })
  const all: readonly Stand[] = [
    ...ways,
    ...(standing === 'mixed' ? [{ standing, policy: here, isHere: true } as const] : []),
  ]
  const isSame = all.every(one => provable(one.policy) === provable(here))
  return isSame ? [{ policy: here, isHere: true }] : all
}

/** Of a policy, what a proof looks at. */
const provable = ({ gates, hooks, allow }: Policy): string => JSON.stringify([gates, hooks, allow])

export interface Stood {
  readonly stand: Stand
  readonly proof: Proof
}

/** The proofs as one: with what is so in one of them only, when that is. */
export function together(all: readonly Stood[]): Proof {
  const [first, ...rest] = all
  if (!first || rest.length === 0) return first?.proof ?? NOTHING
  const proofs = all.map(one => one.proof)
  const within = proofs.flatMap(one => one.within ?? [])
  const sum = (of: (proof: Proof) => number): number => proofs.reduce((total, one) => total + of(one), 0)
  return {
    findings: foundIn(all, ({ findings }) => findings),
    doubts: foundIn(all, ({ doubts }) => doubts),
    unseen: [...new Set(proofs.flatMap(one => one.unseen))],
    notes: [...new Set(proofs.flatMap(one => one.notes))],
    complete: proofs.every(one => one.complete),
    ...(within.length > 0 && { within: Math.min(...within) }),
    gates: Math.max(...proofs.map(one => one.gates)),
    states: sum(one => one.states),
    events: sum(one => one.events),
  }
}

const NOTHING: Proof = {
  ...{ findings: [], doubts: [], unseen: [], notes: [], complete: true },
  ...{ gates: 0, states: 0, events: 0 },
}

const keyOf = ({ kind, what, on }: Finding): string => JSON.stringify([kind, what, on])

function foundIn(all: readonly Stood[], of: (proof: Proof) => readonly Finding[]): readonly Finding[] {
  const keys = [...new Set(all.flatMap(({ proof }) => of(proof).map(keyOf)))]
  return keys.flatMap(key => {
    const found = all.flatMap(({ stand, proof }) =>
      of(proof).flatMap(one => (keyOf(one) === key ? { stand, one } : [])),
    )
    const [last] = found.slice(-1)
    if (!last) return []
    if (found.length === all.length) return [{ ...last.one, ...fixOf(found.map(({ one }) => one)) }]
    const standings = found.flatMap(({ stand }) => stand.standing ?? [])
    const isEarly = !standings.includes('trusted')
    // a rule that waits to be of use is no fault
    if (isEarly && IDLE.has(last.one.kind)) return []
    const what = `${isEarly ? 'until' : 'once'} it is trusted, ${last.one.what}`
    const when = isEarly ? ('untrusted' as const) : ('trusted' as const)
    return [{ ...last.one, what, when, ...(!found.some(({ stand }) => stand.isHere) && { inForce: false as const }) }]
  })
}

const IDLE: ReadonlySet<Finding['kind']> = new Set(['unreachable', 'shadowed'])

/** What mends it either way; where that is nothing, it is a try. */
function fixOf(all: readonly Finding[]): Pick<Finding, 'fix' | 'untried'> {
  const text = (one: Finding['fix'][number]): string => JSON.stringify([one.at, one.advice])
  const last = all.at(-1)?.fix ?? []
  const fix = last.filter(one => all.every(other => other.fix.some(same => text(same) === text(one))))
  return fix.length > 0 || last.length === 0 ? { fix } : { fix: last, untried: true }
}
