import { relative } from 'node:path'
import {
  createCounterexampleTest,
  deduplicateFindings,
  FixSearch,
  type VerificationFinding as InnerFinding,
  isProven,
  type ShorthandEvent,
  verifyPolicy,
} from '../analysis/verify/index.ts'
import { clients } from '../clients/index.ts'
import { realPath } from '../hook/index.ts'
import { regex } from '../hook/services/regex.ts'
import { parseEventShorthand } from '../policy/compile/compiler.ts'
import type { CheckOptions, CheckResult, ClientId, CompiledPolicy, Finding, PolicyEvent } from '../types/index.ts'
import { type InternalPolicy, internalsOf } from './internals.ts'
import { requireKnownOptions, unknownClient } from './mistakes.ts'

/**
 * Checks whether an agent can get stuck: the same proof as `signalbox check`, for the policy as it is once a person has trusted it.
 * It takes a second or two for most policies.
 *
 * @example
 * const compilation = compile(text)
 * if (compilation.ok) console.log(check(compilation.policy).isProven)
 */
export function check(policy: CompiledPolicy, options: CheckOptions = {}): CheckResult {
  const internals = internalsOf(policy)
  requireKnownOptions(options, ['clients'])
  const { program, root, home } = internals
  const { clients: ids } = options
  const unknown = ids?.find(id => !clients.some(client => client.id === id))
  if (unknown !== undefined) throw unknownClient(unknown)
  const real = new Map<string, string>()
  const input = {
    policy: program,
    clients: clients.filter(({ id }) => ids === undefined || ids.some(wanted => wanted === id)),
    regex,
    root,
    home,
    parseEvent: (short: ShorthandEvent) => {
      const reading = parseEventShorthand(short, { root, home })
      return 'event' in reading ? reading.event : null
    },
    realPath: (path: string) => realPath(path, real),
  }
  const proof = verifyPolicy(input)
  const fixes = new FixSearch(input, [...proof.findings, ...proof.inconclusive])
  const shown = (found: readonly InnerFinding[]) =>
    deduplicateFindings(found).map(finding => findingOf(fixes.verifyFixes(finding), internals))
  return {
    isProven: isProven(proof),
    findings: shown(proof.findings),
    inconclusive: shown(proof.inconclusive),
    unchecked: proof.unchecked,
    notes: proof.notes,
    states: proof.states,
  }
}

function findingOf(finding: InnerFinding, { program, root, file }: InternalPolicy): Finding {
  const { kind, what, why, gate, clients, inconclusiveReason, fix } = finding
  const name = gate === undefined ? undefined : (program.gates.find(({ id }) => id === gate)?.name ?? gate)
  const script = createCounterexampleTest(finding)
  return {
    kind,
    message: what,
    why,
    ...(name !== undefined && { gate: name }),
    clients: clients as readonly ClientId[],
    ...(inconclusiveReason !== undefined && { inconclusiveReason }),
    fixes: fix.map(({ at, advice }) => ({ at: at || relative(root, file), advice })),
    ...(script && {
      counterexample: {
        client: script.client as ClientId,
        events: playable(script.events),
      },
    }),
  }
}

/** Events in the form that `event` takes: without `expect`. */
const playable = (written: readonly ShorthandEvent[]): readonly PolicyEvent[] =>
  written.map(({ expect: _, ...event }) => event)
