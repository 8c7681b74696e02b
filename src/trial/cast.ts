import { join } from 'node:path'
import type { Client } from '../clients/index.ts'
import type { Event } from '../core/index.ts'
import { isObject, isShell, type JsonObject } from '../pattern/index.ts'
import { readShort } from '../policy/compiler.ts'
import type { StepDoc } from '../policy/tests.ts'
import { believing, runsOf, withActs } from '../runtime/index.ts'
import * as shell from '../shell/index.ts'

export interface Place {
  readonly root: string
  readonly home: string
  readonly client: Client
}

export type Casting =
  | { readonly events: readonly Event[]; readonly notes: readonly string[] }
  | { readonly problem: string }

/** A step as this client would tell of it: read, its acts looked up, and without what the client does not say. */
export function castStep(step: StepDoc, place: Place): Casting {
  const { session = 'test', id, signed = {}, cwd } = step
  const ground = { ...place, cwd: join(place.root, cwd ?? ''), shell: () => shell, vars: varsOf(place) }
  const read = step.payload === undefined ? short(step, place) : decoded(step.payload, step.event, place)
  if ('problem' in read) return read
  const events = read.events.map(event => {
    const { call, ...rest } = event
    const named: Event = {
      ...rest,
      session,
      cwd: event.cwd ?? ground.cwd,
      ...(call && { call: { ...call, ...(id !== undefined && { id }) } }),
    }
    const full = withActs(named, { ...ground, cwd: named.cwd ?? ground.cwd })
    return believing(full, runsOf(full, ground), argv => endOf(signed[JSON.parse(argv).join(' ')]))
  })
  return { events, notes: read.notes }
}

/** Variables of the agent's shell that are certain. */
const varsOf = ({ client, root }: Place): Readonly<Record<string, string>> =>
  client.shellProjectEnv === undefined ? {} : { [client.shellProjectEnv]: root }

const endOf = (status: number | undefined) => (status === undefined ? undefined : status === 0 ? 'succeeded' : 'failed')

function decoded(payload: unknown, event: string | undefined, { client }: Place): Casting {
  if (!isObject(payload)) return { problem: 'the payload is not a JSON object' }
  try {
    return { events: client.decode(payload, { event }), notes: [] }
  } catch (error) {
    return { problem: `${client.title} does not send this: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Keys of a step that are no part of the short form. */
const BESIDE = ['expect', 'client', 'id', 'session', 'cwd', 'wait', 'env', 'signed', 'payload', 'event']

function short(step: StepDoc, { root, home, client }: Place): Casting {
  const words: JsonObject = JSON.parse(JSON.stringify(step))
  for (const key of BESIDE) delete words[key]
  const ground = { root, home, client: client.id }
  const isBare = Object.keys(words).every(key => key === 'as' || key === 'caller')
  // `{ event: session.start }`: an event that has nothing but its name
  const reading = readShort(isBare && step.event !== undefined ? { ...words, stop: true } : words, ground)
  if ('problem' in reading) return reading
  const { call } = reading.event
  const tool = call && (client.toolNames[call.tool] ?? call.tool)
  const event: Event = {
    ...reading.event,
    ...(step.event && { kind: step.event, name: step.event }),
    ...(call && { call: { ...call, ...(tool !== call.tool && { tool: tool ?? call.tool, native: call.tool }) } }),
  }
  return asTold(event, client)
}

/** What a client does not mark or report is not known to the hook either. */
function asTold(event: Event, { capabilities, title }: Client): Casting {
  const notes: string[] = []
  const { call, caller } = event
  const ofShell = isShell(call?.tool ?? '')
  const isTold = ofShell ? capabilities.reportsExit : capabilities.reportsEnd
  const hidesEnd = call?.status !== undefined && call.status !== 'unknown' && !isTold
  const hidesCaller = capabilities.callers !== 'marked' && caller.kind !== 'unknown'
  if (hidesEnd) notes.push(`${title} does not say how a ${ofShell ? 'command' : 'call'} ended`)
  if (hidesCaller && caller.kind === 'agent') notes.push(`${title} does not mark who calls: it is inferred`)
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

/** The same call with another shell line in it; undefined where it has none. */
export function retyped(event: Event, line: string, place: Place): Event | undefined {
  const { call, cwd = place.root } = event
  if (!call || !isShell(call.tool)) return undefined
  const changed: Event = { ...event, call: { ...call, input: { ...call.input, command: line }, acts: [] } }
  return withActs(changed, { ...place, cwd, shell: () => shell, vars: varsOf(place) })
}
