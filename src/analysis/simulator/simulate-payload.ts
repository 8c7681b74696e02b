import { join } from 'node:path'
import type { Client } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import { isShell } from '../../engine/index.ts'
import * as shell from '../../engine/shell/index.ts'
import { attestedRunsOf, withActions, withRunEnds } from '../../hook/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { parseEventShorthand } from '../../policy/compile/compiler.ts'
import type { TestStepDoc } from '../../policy/parse/policy-tests.ts'

export interface SimulationContext {
  readonly root: string
  readonly home: string
  readonly client: Client
}

export type SimulatedPayload =
  | { readonly events: readonly Event[]; readonly notes: readonly string[] }
  | { readonly problem: string }

/** The events of a step as this client would report them: with their actions, without data that the client omits. */
export function simulatePayload(step: TestStepDoc, context: SimulationContext): SimulatedPayload {
  const { session = 'test', id, signed = {}, cwd } = step
  const actionContext = {
    ...context,
    cwd: join(context.root, cwd ?? ''),
    shell: () => shell,
    vars: shellVariablesOf(context),
  }
  const read =
    step.payload === undefined ? parseShorthand(step, context) : decodePayload(step.payload, step.event, context)
  if ('problem' in read) return read
  const events = read.events.map(event => {
    const { call, ...rest } = event
    const named: Event = {
      ...rest,
      session,
      cwd: event.cwd ?? actionContext.cwd,
      ...(call && { call: { ...call, ...(id !== undefined && { id }) } }),
    }
    const full = withActions(named, { ...actionContext, cwd: named.cwd ?? actionContext.cwd })
    return withRunEnds(full, attestedRunsOf(full, actionContext), argv =>
      statusOfExitCode(signed[JSON.parse(argv).join(' ')]),
    )
  })
  return { events, notes: read.notes }
}

/** Variables of the agent's shell whose values are certain. */
const shellVariablesOf = ({ client, root }: SimulationContext): Readonly<Record<string, string>> =>
  client.shellProjectEnv === undefined ? {} : { [client.shellProjectEnv]: root }

const statusOfExitCode = (status: number | undefined) =>
  status === undefined ? undefined : status === 0 ? 'succeeded' : 'failed'

function decodePayload(payload: unknown, event: string | undefined, { client }: SimulationContext): SimulatedPayload {
  if (!isObject(payload)) return { problem: 'the payload is not a JSON object' }
  try {
    return { events: client.decode(payload, { event }), notes: [] }
  } catch (error) {
    return { problem: `${client.title} does not send this: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Keys of a step that are not part of the event shorthand. */
const NON_SHORTHAND_KEYS = [
  'expect',
  'client',
  'id',
  'session',
  'cwd',
  'wait',
  'env',
  'git',
  'model',
  'permissions',
  'time',
  'signed',
  'payload',
  'event',
]

function parseShorthand(step: TestStepDoc, { root, home, client }: SimulationContext): SimulatedPayload {
  const words: JsonObject = JSON.parse(JSON.stringify(step))
  for (const key of NON_SHORTHAND_KEYS) delete words[key]
  const place = { root, home, client: client.id }
  const isBare = Object.keys(words).every(key => key === 'as' || key === 'caller')
  // `{ event: session.start }`: an event with nothing but its name.
  const reading = parseEventShorthand(isBare && step.event !== undefined ? { ...words, stop: true } : words, place)
  if ('problem' in reading) return reading
  const { call } = reading.event
  const tool = call && (client.toolNames[call.tool] ?? call.tool)
  const event: Event = {
    ...reading.event,
    ...(step.event && { kind: step.event, name: step.event }),
    ...(call && { call: { ...call, ...(tool !== call.tool && { tool: tool ?? call.tool, native: call.tool }) } }),
  }
  return asReportedByClient(event, client)
}

/** Removes data that the client does not report, because the real hook would not have it either. */
function asReportedByClient(event: Event, { capabilities, title }: Client): SimulatedPayload {
  const notes: string[] = []
  const { call, caller } = event
  const ofShell = isShell(call?.tool ?? '')
  const isReported = ofShell ? capabilities.reportsExit : capabilities.reportsEnd
  const hidesEnd = call?.status !== undefined && call.status !== 'unknown' && !isReported
  const hidesCaller = capabilities.callers !== 'marked' && caller.kind !== 'unknown'
  if (hidesEnd) notes.push(`${title} does not report how a ${ofShell ? 'command' : 'call'} ended`)
  if (hidesCaller && caller.kind === 'agent') notes.push(`${title} does not report the caller: it is inferred`)
  return {
    events: [
      {
        ...event,
        ...(hidesEnd && { kind: 'tool.after' as const, call: { ...call, status: 'unknown' as const } }),
        ...(hidesCaller && { caller: { kind: 'unknown' as const } }),
      },
    ],
    notes,
  }
}

/** The same call with another shell line; undefined if it is not a shell call. */
export function withShellLine(event: Event, line: string, context: SimulationContext): Event | undefined {
  const { call, cwd = context.root } = event
  if (!call || !isShell(call.tool)) return undefined
  const changed: Event = { ...event, call: { ...call, input: { ...call.input, command: line }, acts: [] } }
  return withActions(changed, { ...context, cwd, shell: () => shell, vars: shellVariablesOf(context) })
}
