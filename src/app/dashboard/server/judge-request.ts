import { isAbsolute } from 'node:path'
import type { GateState } from '../../../engine/index.ts'
import { isObject } from '../../../lib/json.ts'
import type { JudgeRequest } from '../api.ts'
import { HttpError } from './http-error.ts'

const TEXT_KEYS = ['project', 'client', 'event', 'as', 'policy'] as const
const REQUEST_KEYS = [...TEXT_KEYS, 'payload', 'record', 'given']

/** Validates the body of a judge request. */
export function parseJudgeRequest(body: unknown): JudgeRequest {
  if (!isObject(body)) throw new HttpError(400, 'the request is not a JSON object')
  const strange = Object.keys(body).find(key => !REQUEST_KEYS.includes(key))
  if (strange !== undefined)
    throw new HttpError(400, `unknown key \`${strange}\`; there are ${REQUEST_KEYS.join(', ')}`)
  const texts: { [key in (typeof TEXT_KEYS)[number]]?: string } = {}
  for (const key of TEXT_KEYS) {
    const value = body[key]
    if (typeof value === 'string') texts[key] = value
    else if (value !== undefined) throw new HttpError(400, `\`${key}\` must be a string`)
  }
  if (texts.project !== undefined && !isAbsolute(texts.project))
    throw new HttpError(400, '`project` must be the root folder of a project')
  const { payload, record } = body
  if (payload !== undefined && !isObject(payload)) throw new HttpError(400, '`payload` must be a JSON object')
  if (record !== undefined && !(typeof record === 'number' && Number.isSafeInteger(record) && record > 0))
    throw new HttpError(400, '`record` must be the number of a record')
  const sources = [texts.event, payload, record].filter(candidate => candidate !== undefined)
  if (sources.length !== 1) throw new HttpError(400, 'send exactly one of `event`, `payload` and `record`')
  return {
    ...texts,
    ...(payload !== undefined && { payload }),
    ...(typeof record === 'number' && { record }),
    ...(body.given !== undefined && { given: parseGivenStates(body.given) }),
  }
}

function parseGivenStates(value: unknown): Readonly<Record<string, GateState>> {
  const given: Record<string, GateState> = {}
  if (!isObject(value)) throw new HttpError(400, '`given` must map gates to `open` or `closed`')
  for (const [gate, state] of Object.entries(value)) {
    if (state !== 'open' && state !== 'closed')
      throw new HttpError(400, `\`given\`: the state of a gate must be \`open\` or \`closed\``)
    given[gate] = state
  }
  return given
}
