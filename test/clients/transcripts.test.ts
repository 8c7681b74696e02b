import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import { type TranscriptEvent, type TranscriptFormat, transcriptFormats } from '../../src/clients/transcripts.ts'
import type { Event } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'

const CAPTURES = resolve(import.meta.dirname, '../captures/transcripts')
const folders = readdirSync(CAPTURES)
const linesOf = (file: string): readonly JsonObject[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

const of = (folder: string): TranscriptFormat => {
  const found = transcriptFormats.find(({ id }) => folder.includes(id))
  if (!found) throw new Error(folder)
  return found
}

/** All that the transcripts of a home tell, by time. */
function told(folder: string): readonly TranscriptEvent[] {
  const transcribing = of(folder)
  const home = join(CAPTURES, folder)
  const base = transcribing.folder.replace('~', home)
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter(path => transcribing.isTranscript(path))
    .flatMap(path => {
      const file = join(base, path)
      const beside = (name: string) => {
        const found = join(dirname(file), name)
        return existsSync(found) ? readFileSync(found, 'utf8') : undefined
      }
      const isBeside = (name: string) => existsSync(join(dirname(file), name))
      const reader = transcribing.reader({ path: relative(base, file), readBeside: beside, existsBeside: isBeside })
      return [...linesOf(file).flatMap(line => reader.read(line)), ...reader.end()]
    })
    .sort((a, b) => a.at - b.at)
}

const eventsOf = (id: string, payloads: readonly JsonObject[]): readonly Event[] =>
  payloads.flatMap(payload => clientById(id)?.decode(payload, {}) ?? [])

/** What a policy can ask for; who is asked first, of two at the same time, is chance. */
function sequences(events: readonly Event[]) {
  const byCaller: { [caller: string]: readonly unknown[] } = {}
  for (const { kind, session, caller, cwd, call, prompt, agent, answer } of events) {
    if (kind === 'compact.before') continue
    const isSaid = call === undefined || call.tool === 'Bash'
    const who = JSON.stringify(caller)
    const told = { kind, session, cwd, call, prompt, agent, ...(isSaid && { answer }) }
    byCaller[who] = [...(byCaller[who] ?? []), told]
  }
  return byCaller
}

describe('a transcript tells what the hook of the same run was told', () => {
  it.each(folders.filter(folder => !folder.startsWith('denied-')))('%s', folder => {
    const { id } = of(folder)
    const then = eventsOf(id, linesOf(join(CAPTURES, folder, 'hooks.jsonl')))
    expect(
      sequences(
        eventsOf(
          id,
          told(folder).map(one => one.payload),
        ),
      ),
    ).toEqual(sequences(then))
  })
})

/** Only the ends of spawns and the starts of agents. An agent may start before or after the call that spawned it has ended. */
const startsAndSpawns = (events: readonly Event[]): readonly string[] =>
  events.flatMap(({ kind, call }) =>
    kind === 'agent.start' ? [kind] : kind === 'tool.after' && call?.tool === 'Agent' ? ['spawned'] : [],
  )

describe('an agent starts where the hook of the same run was told so, before or after the end of its spawn', () => {
  it.each(folders.filter(folder => !folder.startsWith('denied-')))('%s', folder => {
    const { id } = of(folder)
    const then = startsAndSpawns(eventsOf(id, linesOf(join(CAPTURES, folder, 'hooks.jsonl'))))
    expect(
      startsAndSpawns(
        eventsOf(
          id,
          told(folder).map(one => one.payload),
        ),
      ),
    ).toEqual(then)
  })
})

it('an agent of Codex CLI starts and gets its prompt after its spawn, and before its parent goes on', () => {
  const names = told('codex-cli-0.166.0').map(({ payload }) =>
    `${payload.hook_event_name} ${payload.tool_name ?? ''}`.trim(),
  )
  const from = names.indexOf('PostToolUse spawn_agent')
  expect(names.slice(from, from + 4)).toEqual([
    'PostToolUse spawn_agent',
    'SubagentStart',
    'UserPromptSubmit',
    'PreToolUse multi_agent_v1wait_agent',
  ])
})

describe('a stop that was refused then is told as one, and the agent goes on in its turn', () => {
  it.each(folders.filter(folder => folder.startsWith('denied-stop-')))('%s', folder => {
    const { id } = of(folder)
    const stops = told(folder).flatMap(one =>
      eventsOf(id, [one.payload]).flatMap(event =>
        event.kind === 'turn.stop'
          ? [
              {
                refused: one.refused === true,
                active: event.stopActive,
                said: one.payload.last_assistant_message ?? one.payload.prompt_response,
              },
            ]
          : [],
      ),
    )
    expect(stops).toEqual([
      { refused: true, active: false, said: 'I am done.' },
      { refused: false, active: true, said: 'Done.' },
    ])
  })
})

describe('a call that was refused then has no end', () => {
  it.each([
    ['denied-claude-code-2.1.325', 'tool.before tool.before tool.after'],
    // a hook's reason is all that is written: whether it failed or was refused does not show
    ['denied-claude-code-2.1.197', 'tool.before tool.failed tool.before tool.after'],
    ['denied-codex-cli-0.166.0', 'tool.before tool.before tool.after'],
    ['denied-gemini-cli-0.61.0', 'tool.before tool.before tool.after'],
  ])('%s', (folder, kinds) => {
    const events = eventsOf(
      of(folder).id,
      told(folder).map(one => one.payload),
    )
    expect(events.flatMap(({ kind, call }) => (call ? [kind] : [])).join(' ')).toBe(kinds)
  })
})

it('the recorded runs are not empty', () => {
  const calls = (folder: string) => told(folder).filter(({ payload }) => payload.tool_name !== undefined).length
  expect(Object.fromEntries(folders.map(folder => [folder, calls(folder)]))).toEqual({
    'claude-code-2.1.197': 16,
    'claude-code-2.1.325': 18,
    'codex-cli-0.166.0': 18,
    'denied-claude-code-2.1.197': 4,
    'denied-claude-code-2.1.325': 3,
    'denied-codex-cli-0.166.0': 3,
    'denied-gemini-cli-0.61.0': 3,
    'denied-stop-claude-code-2.1.197': 2,
    'denied-stop-claude-code-2.1.325': 2,
    'denied-stop-codex-cli-0.166.0': 1,
    'denied-stop-gemini-cli-0.61.0': 2,
    'gemini-cli-0.61.0': 20,
  })
})

it('nothing of a transcript is relied on: any JSON is read', () => {
  const odd: readonly JsonObject[] = [
    {},
    { type: 'user' },
    { type: 'user', timestamp: 'never', message: { content: 'x' } },
    { type: 'user', timestamp: '2026-01-01T00:00:00Z', message: { content: [{ type: 'tool_result' }, 4] } },
    { type: 'assistant', timestamp: '2026-01-01T00:00:00Z', message: { content: [{ type: 'tool_use' }, null] } },
    {
      type: 'response_item',
      timestamp: '2026-01-01T00:00:00Z',
      payload: { type: 'function_call', call_id: 'a', arguments: '{' },
    },
    { type: 'session_meta', timestamp: '2026-01-01T00:00:00Z', payload: 4 },
    { type: 'gemini', timestamp: '2026-01-01T00:00:00Z', toolCalls: [{}, 3, { result: 'x', args: [] }] },
    { messages: [1, { type: 'user' }], sessionId: 's', startTime: '2026-01-01T00:00:00Z' },
  ]
  for (const { id, reader } of transcriptFormats) {
    const lines = reader({ path: 'a/chats/b.jsonl', readBeside: () => undefined, existsBeside: () => false })
    const all = [...odd.flatMap(line => lines.read(line)), ...lines.end()]
    expect(() =>
      eventsOf(
        id,
        all.map(one => one.payload),
      ),
    ).not.toThrow()
  }
})
