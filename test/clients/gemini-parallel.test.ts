import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type InProcessSandbox, withInProcessSandbox } from '../support/in-process-sandbox.ts'

const SPAWNED = Date.parse('2026-11-15T08:26:26.847Z')

/** A session of Gemini CLI that spawns an agent, and calls soon after. */
class Session {
  readonly own: string
  readonly agents: string

  constructor(private readonly sandbox: InProcessSandbox) {
    const chats = join(sandbox.folder, 'chats')
    mkdirSync(chats)
    this.own = join(chats, 'session-1.jsonl')
    this.agents = join(chats, 'one')
  }

  /** What the client writes: the session's own transcript, and one of an agent at this time. */
  writes(file: string, at: number): void {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '{}\n')
    utimesSync(file, at / 1000, at / 1000)
  }

  async call(after: number, tool_name: string, tool_input: object): Promise<string> {
    const timestamp = new Date(SPAWNED + after).toISOString()
    const about = { session_id: 'one', transcript_path: this.own, cwd: this.sandbox.project, timestamp }
    const payload = JSON.stringify({ hook_event_name: 'BeforeTool', ...about, tool_name, tool_input })
    const { stdout } = await this.sandbox.hookInProcess('gemini-cli', payload)
    const { caller } = this.sandbox.records().at(-1) ?? {}
    return `${/"decision":"deny"/.test(stdout) ? 'deny' : 'pass'} ${JSON.stringify(caller).includes('unknown') ? 'unknown' : JSON.stringify(caller).includes('main') ? 'main' : 'agent'}`
  }

  spawn = (after = 0): Promise<string> =>
    this.call(after, 'invoke_agent', { agent_name: 'modular-builder', prompt: `do it ${after}` })
  write = (after: number, name = 'a.ts'): Promise<string> =>
    this.call(after, 'write_file', { file_path: join(this.sandbox.project, name), content: 'x' })
}

const play = <T>(story: (session: Session) => Promise<T>): Promise<T> =>
  withInProcessSandbox({ project: 'use: [orchestrator-boundary]\n' }, sandbox => story(new Session(sandbox)))

describe('a call right after the spawn of an agent', () => {
  it("is the main agent's as long as the agent has no transcript", () =>
    play(async session => {
      session.writes(session.own, SPAWNED - 500)
      session.writes(join(session.agents, 'earlier.jsonl'), SPAWNED - 40)
      expect(await session.spawn()).toBe('pass main')
      expect(await session.write(20)).toBe('deny main')
      expect(await session.write(1900, 'b.ts')).toBe('deny main')
    }))

  it("is the agent's once it writes one", () =>
    play(async session => {
      session.writes(session.own, SPAWNED - 500)
      expect(await session.spawn()).toBe('pass main')
      expect(await session.write(20)).toBe('deny main')
      session.writes(join(session.agents, 'agent.jsonl'), SPAWNED + 25)
      expect(await session.write(50, 'b.ts')).toBe('pass agent')
    }))

  it("is the main agent's beside several spawns too; once one of them runs, nobody knows", () =>
    play(async session => {
      session.writes(session.own, SPAWNED - 500)
      await session.spawn()
      await session.spawn(10)
      expect(await session.write(20)).toBe('deny main')
      session.writes(join(session.agents, 'agent.jsonl'), SPAWNED + 25)
      expect(await session.write(50, 'b.ts')).toBe('pass unknown')
    }))

  it('is nobody’s where the client writes no transcripts', () =>
    play(async session => {
      await session.spawn()
      expect(await session.write(20)).toBe('pass unknown')
      expect(await session.write(2500, 'b.ts')).toBe('pass agent')
    }))

  it("is the agent's after two seconds, whatever the files say", () =>
    play(async session => {
      session.writes(session.own, SPAWNED - 500)
      await session.spawn()
      expect(await session.write(2500)).toBe('pass agent')
    }))
})
