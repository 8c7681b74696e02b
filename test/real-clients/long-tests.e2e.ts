import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LlmToolCall } from '../../src/testing/fake-llm/index.ts'
import { contestants } from './client.ts'
import type { Act } from './scenario.ts'
import { type Play, playBeside, type Script, startOnceWithin } from './scripted-play.ts'
import { putFile } from './setup.ts'
import type { Folders } from './stage.ts'

const POLICY = {
  gates: {
    'tests-before-release': {
      initial: 'closed',
      transitions: [
        { from: 'closed', to: 'open', when: { event: 'tool.after', command: 'npm test', succeeded: true } },
      ],
      rules: [
        {
          ...{ while: 'closed', when: { event: 'tool.before', command: 'sh release.sh' }, then: 'deny' },
          ...{ message: 'Run `{suggest}` first.', suggest: 'npm test' },
        },
      ],
    },
  },
}

/** A client that waits at least so long for a command; others are asked to wait two seconds. */
const LEAST_WAIT: Readonly<Record<string, number>> = { 'copilot-cli': 30 }
const waitOf = (id: string): number => LEAST_WAIT[id] ?? 2

const shell = (command: string): Act => ({ kind: 'shell', command })
const run = (id: string, command: string): Act => ({ kind: 'shell', command, waits: waitOf(id) })
const PAUSE = shell('echo waiting; sleep 14; echo waited')
const RELEASE = shell('sh release.sh')

/** npm prints the script too, which must not look like its output. */
const played = (id: string, script: Script): Play => ({
  ...{ policy: POLICY, start: startOnceWithin(150_000), script },
  before: {
    'package.json': JSON.stringify({ scripts: { test: `sleep ${waitOf(id) + 4}; echo it pass''ed` } }),
    'release.sh': 'echo it is out > released\n',
  },
})

const PASSED = 'it passed'
const isReleased = ({ project }: Folders): boolean => existsSync(join(project, 'released'))

/** Without what a client tells its model by itself, when a command that it gave back has ended. */
const answers = (told: readonly string[]): readonly string[] => told.filter(text => !text.includes(PASSED))

/** What a refusal says to type. One that waits for the exit code of the client names the plain command. */
const typedIn = (refusal = '', plain = 'echo nothing was said'): string =>
  /`([^`]*signalbox run -- npm test)`/.exec(refusal)?.[1] ?? plain

const all = contestants().filter(({ served }) => served)
const stops = (id: string): boolean => id === 'opencode'

describe.concurrent.each(all.filter(({ id }) => !stops(id)))(
  '$id $version, tests that it gives back early',
  contestant => {
    const { id } = contestant

    it('open the gate when they end, run by `signalbox run`', () =>
      playBeside(
        contestant,
        'long tests: signed',
        played(id, told => [run(id, 'signalbox run -- npm test'), PAUSE, RELEASE][answers(told).length]),
        ({ told, folders }) => {
          expect(told[0]).not.toContain(PASSED)
          expect(isReleased(folders), told.join('\n')).toBe(true)
        },
      ))

    it('are explained, run plainly, and what the refusal says to type opens the gate', () =>
      playBeside(
        contestant,
        'long tests: plain',
        played(id, told => {
          const own = answers(told)
          return [run(id, 'npm test'), RELEASE, run(id, typedIn(own[1])), PAUSE, RELEASE][own.length]
        }),
        ({ told, folders }) => {
          expect(told[0]).not.toContain(PASSED)
          expect(answers(told)[1]).toMatch(/signalbox run -- npm test`/)
          expect(isReleased(folders), told.join('\n')).toBe(true)
        },
      ))
  },
)

describe.concurrent.each(all.filter(({ id }) => stops(id)))('$id $version, tests that it stops', contestant => {
  const { id } = contestant

  it('are explained, and open the gate when they are given more time', () =>
    playBeside(
      contestant,
      'long tests: stopped',
      played(id, told => {
        const signed = run(id, typedIn(told[1]))
        return [run(id, 'npm test'), RELEASE, signed, RELEASE, shell(typedIn(told[1])), RELEASE][told.length]
      }),
      ({ told, folders }) => {
        expect(told[0]).not.toContain(PASSED)
        expect(told[1]).toContain('Your last run, `npm test`, did not count: ')
        expect(told[3]).toMatch(/give it a longer timeout|did not count: it failed/)
        expect(isReleased(folders), told.join('\n')).toBe(true)
      },
    ))
})

/** How the agent reads the end of a command that it was given back. */
const READERS: Readonly<Record<string, (told: string) => LlmToolCall>> = {
  'claude-code': told => ({ tool: 'Read', input: { file_path: /\/\S+\.output/.exec(told)?.[0] ?? '' } }),
  'copilot-cli': told => ({
    tool: 'read_bash',
    input: { shellId: /shellId: (\w+)/.exec(told)?.[1] ?? '', delay: 20 },
  }),
  'codex-cli': told => ({
    tool: 'write_stdin',
    input: { session_id: Number(/session ID (\d+)/.exec(told)?.[1] ?? 0), chars: '', yield_time_ms: 20_000 },
  }),
}

describe.concurrent.each(all.filter(({ id }) => id in READERS))(
  '$id $version, reading the end of tests',
  contestant => {
    const { id } = contestant

    it('opens the gate, by its own tool for that', () =>
      playBeside(
        contestant,
        'long tests: their end is read',
        {
          ...played(id, told => {
            const signed = run(id, typedIn(told[0], 'signalbox run -- npm test'))
            // the other tools wait for the end themselves
            const pause = id === 'claude-code' ? [PAUSE] : []
            return [RELEASE, signed, ...pause, READERS[id]?.(told[1] ?? ''), RELEASE][told.length]
          }),
          // `signalbox run` can leave nothing in the state folder: for Codex its own sandbox sees to that
          ...(id === 'codex-cli'
            ? { around: { sandbox: true }, args: ['-c', 'sandbox_mode="workspace-write"'] }
            : { change: ({ state }: Folders) => putFile(state, 'runs', 'not a folder') }),
        },
        ({ told, folders }) => {
          expect(told[1]).not.toContain(PASSED)
          expect(told.at(-2)).toContain(PASSED)
          expect(isReleased(folders), told.join('\n')).toBe(true)
        },
      ))
  },
)
