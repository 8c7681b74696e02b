import type { Gate } from '../../engine/index.ts'
import type { ConcurrentScenarios } from './abstraction/concurrency.ts'
import type { DependencyGraph } from './abstraction/cone-of-influence.ts'
import type { SampleCall } from './abstraction/residual-condition.ts'
import type { AnalysisInputs } from './analysis-inputs.ts'
import { actionForCall, callRelevanceOf, eventRelevanceOf } from './system/agent-action.ts'
import type { ClientProfile } from './system/client-profile.ts'
import type { SystemState } from './system/state/system-state.ts'
import { TransitionSystem } from './system/transition-system.ts'

interface SystemParts
  extends Pick<AnalysisInputs, 'program' | 'constants' | 'parser' | 'root' | 'env' | 'mayMust' | 'calls'> {
  readonly gates: readonly Gate[]
  readonly agents: readonly string[]
  readonly scenarios: ConcurrentScenarios
  readonly fillerCalls: ReadonlySet<SampleCall>
  readonly profile: ClientProfile
  readonly dependencies: DependencyGraph
}

/** The transition system of some gates of a program. Events that none of these gates reacts to are left out. */
export function createTransitionSystem(parts: SystemParts): TransitionSystem {
  const { program, constants, parser, root, env, mayMust, calls, agents, profile, dependencies, fillerCalls } = parts
  const included = program.gates.filter(gate => parts.gates.includes(gate))
  const relevanceByCall = new Map(
    calls.map(call => {
      const relevanceByActor = ['main', ...agents].map(
        actor => [actor, callRelevanceOf(actionForCall(call, actor, profile), included, mayMust)] as const,
      )
      return [call, new Map(relevanceByActor)] as const
    }),
  )
  const { mayRefuseEveryPrompt, approvalRequest } = dependencies
  const { asyncCalls, hasSecondSession } = parts.scenarios
  return new TransitionSystem({
    ...{ program: { ...program, gates: included }, profile, calls, agents, constants, regex: parser.regex, root, env },
    ...{ asyncCalls: new Set(asyncCalls), hasSecondSession, fillerCalls, mayRefuseEveryPrompt, approvalRequest },
    callRelevance: (call, actor) => relevanceByCall.get(call)?.get(actor),
    eventRelevance: event => eventRelevanceOf(event, included, mayMust),
  })
}

/** A state in which an agent of this type is live, even if a gate would refuse to spawn it. */
export function stateWithLiveAgent(system: TransitionSystem, type: string, { session }: SystemState): SystemState {
  const call = {
    kind: 'tool.before',
    client: '',
    name: '',
    session: '',
    caller: { kind: 'main' },
    call: { tool: 'Agent', input: {}, acts: [{ action: 'spawn', agent: type }], id: `s-${type}` },
  } as const
  const spawns = system.profile.infersCallers ? [{ call: `s-${type}`, id: 'x', agent: type }] : []
  return system.states.reduce(
    { ...session, spawns },
    { liveAgent: { type, spawnEvent: call }, isAwaitingPrompt: false },
  )
}
