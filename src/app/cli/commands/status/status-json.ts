import type { HookInstallation } from '../../../doctor/index.ts'
import type { DailySummary } from '../audit/daily-summary.ts'
import type { AgentState } from './agent-states.ts'
import type { StatusFacts, StatusVerdict } from './status-verdict.ts'

/** The output of `status --json`. Its keys are documented in docs/guide/status.md. */
export const statusJson = (
  { agents, policy, activeBypasses, trouble, broken, proof }: StatusFacts,
  { word, why, next }: StatusVerdict,
  today: DailySummary,
  hook: HookInstallation,
) => ({
  verdict: word,
  reason: why,
  agents: agents.map(agentJson),
  hook: hookInstallationJson(hook),
  policy: {
    files: policy.layers
      .filter(({ layer }) => layer !== 'built-in')
      .map(({ layer, file, state }) => ({ layer, file, state })),
    gates: policy.program.gates.filter(({ layer }) => layer !== 'built-in').length,
    hooks: policy.program.hooks.length,
    problems: policy.problems.length,
    untrusted: policy.layers.flatMap(({ untrusted }) => untrusted),
    ...(proof && { verification: proof }),
  },
  today,
  bypasses: activeBypasses,
  ...(trouble !== undefined && { storeProblem: trouble }),
  ...(broken !== undefined && { auditLogProblem: broken }),
  next,
})

const agentJson = ({ registered, since, canaryAt, why, ...rest }: AgentState) => ({
  ...rest,
  registeredIn: registered,
  ...(since !== undefined && { registeredAt: since }),
  ...(canaryAt !== undefined && { testCallDeniedAt: canaryAt }),
  ...(why !== undefined && { reason: why }),
})

/** Also a part of `doctor --json`. */
export const hookInstallationJson = ({ hook, why, isOff, daemon, failed }: HookInstallation) => ({
  kind: hook,
  ...(why !== undefined && { reason: why }),
  isDaemonOff: isOff,
  ...(daemon && { daemon }),
  ...(failed && { daemonStartFailure: { at: failed.at, reason: failed.why } }),
})
