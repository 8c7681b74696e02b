import { failureReply } from './failure/failure-reply.ts'
import { afterCommit } from './phases/after-commit.ts'
import { analyseActions } from './phases/analyse-actions.ts'
import { collectAnswers } from './phases/collect-answers.ts'
import { decide } from './phases/decide.ts'
import { decodePayload } from './phases/decode-payload.ts'
import { findRecordedReply } from './phases/recorded-reply.ts'
import { resolveProject } from './phases/resolve-project.ts'
import type { FailureContext, HookCall, HookResult, HookServices } from './services/hook-services.ts'

/**
 * The path of one event through all phases. READ THIS FIRST.
 *
 * `failure` collects, phase by phase, what a failure answer needs. Every error becomes the declared failure answer.
 */
export async function handleEvent(call: HookCall, services: HookServices): Promise<HookResult> {
  const failure: FailureContext = { call, cause: 'input', isForeignState: false }
  try {
    return await beforeDeadline(runPhases(call, services, failure), call)
  } catch (error) {
    if (call.deadline?.isAbandoned) return { requiresOneShot: 'the agent no longer waits for it' }
    return failureReply(failure, services, error)
  }
}

async function runPhases(call: HookCall, services: HookServices, failure: FailureContext): Promise<HookResult> {
  const began = call.arrivedAt ?? process.uptime() * 1000
  const decoded = decodePayload(call, services, failure)
  const project = resolveProject(decoded, services, failure)
  if ('requiresOneShot' in project) return project
  const recorded = findRecordedReply(decoded, project, services, failure)
  if (recorded.reply) return recorded.reply
  const analysed = analyseActions(decoded, project, services, began)
  if ('requiresOneShot' in analysed) return analysed
  const complete = await collectAnswers(decoded, project, recorded, analysed, services, failure)
  if ('reply' in complete) return complete.reply
  const prepared = { decoded, project, recorded, analysed, complete, began }
  const decision = await decide(prepared, services)
  failure.cause = undefined
  return afterCommit(decision, prepared, services)
}

/** A reply after the deadline is dropped: the failure answer has already been given. */
function beforeDeadline(reply: Promise<HookResult>, { deadline }: HookCall): Promise<HookResult> {
  if (!deadline) return reply
  reply.catch(() => {})
  return Promise.race([reply, deadline.passed])
}
