import { agentName, startTurnOf } from '../model/agent-turns.ts'
import type { Caller } from '../model/caller.ts'
import type { Event } from '../model/event.ts'
import {
  closeParallelWindow,
  extendParallelWindow,
  isInParallelWindow,
  openParallelWindow,
} from '../model/parallel-window.ts'
import type { PendingSpawn, Session } from '../model/session.ts'
import type { Evaluation, EvaluationInput } from './evaluation.ts'
import { callKey } from './pending-effects.ts'

/** Adds what only the session knows: the source of a prompt, a caller that the client does not name, the turn an agent began in. */
export function inferCaller(input: EvaluationInput): Event {
  const event = whose(input)
  const began = startTurnOf(event, input.session.begun)
  return began === undefined ? event : { ...event, began }
}

function whose({ event, session, capabilities }: EvaluationInput): Event {
  const { kind, prompt, caller } = event
  if (prompt && isStopReason(prompt.text, session)) return { ...event, prompt: { ...prompt, source: 'system' } }
  if (capabilities.callers !== 'inferred' || caller.kind !== 'unknown') return event
  return kind === 'agent.stop' ? stopOf(event, session) : { ...event, caller: callerAmong(session.spawns, event.at) }
}

/** Some clients send our stop reason back as a prompt, joined line by line with the texts of other hooks. */
const isStopReason = (text: string, { stopReason }: Session): boolean =>
  stopReason !== '' && `\n${text}\n`.includes(`\n${stopReason}\n`)

/** No agent in flight: the main agent. One: that agent, except for calls made in parallel with its spawn. Several: unknown. */
function callerAmong([only, second]: readonly PendingSpawn[], at?: number): Caller {
  if (!only) return { kind: 'main' }
  if (second || isInParallelWindow(at, only)) return { kind: 'unknown' }
  return { kind: 'agent', id: only.id, ...(only.agent && { type: only.agent }) }
}

/** An agent stops once: with its own last call, or with the end of its spawning call, which names it. A second report is `other`. */
function stopOf(event: Event, { spawns }: Session): Event {
  const { agent } = event
  const those = agent === undefined ? spawns : spawns.filter(one => agentName(one.agent ?? '') === agentName(agent))
  const caller = callerAmong(those)
  if (agent !== undefined && those.some(one => one.stopped)) return { ...event, kind: 'other', caller }
  return caller.kind === 'agent' ? { ...event, caller, ...(caller.type && { agent: caller.type }) } : event
}

/** A prompt, a stop and a new session end every spawn, because clients do not report the end of a cancelled spawn. */
export function spawnsAfter(walk: Evaluation, refused: boolean): readonly PendingSpawn[] {
  const { event, facts, capabilities } = walk
  const spawns = walk.session.spawns.map(extendParallelWindow(event.at))
  if (capabilities.callers !== 'inferred') return spawns
  const { kind, caller, call } = event
  if (kind === 'prompt.submit' || kind === 'turn.stop' || kind === 'session.start') return []
  if (kind === 'tool.after' || kind === 'tool.failed') {
    const ended = spawns.findIndex(one => one.call === callKey(event))
    return spawns.filter((_, nth) => nth !== ended).map(closeParallelWindow)
  }
  if (refused) return spawns
  if (kind === 'agent.stop' && caller.kind === 'agent')
    return spawns.map(one => (one.id === caller.id ? { ...one, stopped: true } : one))
  const spawn = kind === 'tool.before' ? call?.acts.find(act => act.action === 'spawn') : undefined
  const key = spawn && callKey(event)
  if (key === undefined) return spawns
  const id = `${facts.now}.${spawns.length}`
  return [...spawns, { call: key, id, ...(spawn?.agent && { agent: spawn.agent }), ...openParallelWindow(event.at) }]
}
