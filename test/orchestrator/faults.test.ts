import { expect, it } from 'vitest'
import { backends } from '../../src/app/orchestrate/backends/index.ts'

const result = (fields: object) => ({ type: 'result', subtype: 'success', is_error: true, ...fields })
const failed = (message: string) => ({ type: 'turn.failed', error: { message } })
const ended = (message: string, type = 'unknown') => ({ type: 'result', status: 'error', error: { type, message } })
const assistant = (fields: object) => ({ type: 'assistant', message: { content: [] }, ...fields })

// what a task is about stands in its errors: none of these words is the backend's own
it.each([
  ['claude', 'quota', result({ api_error_status: 429, result: 'API Error: Request rejected (429)' })],
  ['claude', 'quota', result({ result: 'Claude AI usage limit reached|1794803141' })],
  ['claude', 'quota', result({ result: "You've hit your session limit · resets 3pm" })],
  ['claude', 'quota', result({ result: "You've hit your limit · resets 3pm" })],
  ['claude', 'quota', assistant({ error: 'billing_error' })],
  ['claude', 'signed-out', assistant({ error: 'authentication_failed', parent_tool_use_id: null })],
  ['claude', 'signed-out', result({ result: 'API Error: 401 {"error":{"message":"no such rate limit"}}' })],
  ['claude', undefined, assistant({ error: 'rate_limit', parent_tool_use_id: 'toolu_1' })],
  ['claude', undefined, assistant({ error: 'toString' })],
  ['claude', undefined, result({ api_error_status: 529, result: 'API Error: 529 the rate limit of 401 calls' })],
  ['claude', undefined, result({ subtype: 'error_during_execution', result: 'the rate limit test fails: 429' })],
  ['codex', 'quota', failed('exceeded retry limit, last status: 429 Too Many Requests, request id: 1')],
  ['codex', 'quota', failed("You've hit your usage limit. Try again at 3:28 PM.")],
  ['codex', 'quota', failed('Quota exceeded. Check your plan and billing details.')],
  ['codex', 'quota', failed('stream disconnected before completion: Rate limit reached for gpt-5 in organization o')],
  ['codex', 'signed-out', failed('unexpected status 401 Unauthorized: rate limit')],
  ['codex', 'signed-out', failed('Missing environment variable: `OPENAI_API_KEY`. Create one.')],
  ['codex', undefined, failed('unexpected status 400 Bad Request: the rate limit of 429 is no quota')],
  ['codex', undefined, failed('stream disconnected before completion: add a rate limit to the sign in page')],
  ['codex', undefined, failed('sandbox denied exec error, exit code: 1, stdout: , stderr: 401 unauthorized')],
  ['gemini', 'quota', ended('[API Error: {"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}}]')],
  ['gemini', 'quota', ended('[API Error: Too much (Status: RESOURCE_EXHAUSTED)]\nPlease wait.')],
  [
    'gemini',
    'quota',
    ended('[API Error: You have exhausted your capacity on this model. Your quota will reset after 8h.]'),
  ],
  ['gemini', 'quota', ended('see above', 'TerminalQuotaError')],
  ['gemini', 'signed-out', ended('[API Error: {"error":{"code":401,"message":"rate limit"}}]')],
  ['gemini', 'signed-out', ended('see above', 'FatalAuthenticationError')],
  ['gemini', undefined, ended('[API Error: {"error":{"code":400,"message":"a rate limit of 429"}}]')],
  ['gemini', undefined, ended('the test of the rate limit fails with 429, unauthorized', 'FatalTurnLimitedError')],
] as const)('%s: %s by %j', (id, fault, line) => {
  const told = backends.find(one => one.id === id)?.parseLine(line) ?? []
  expect(told.flatMap(one => (one.kind === 'fault' ? [one.fault] : []))).toEqual(fault ? [fault] : [])
})
