import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderLauncher } from '../../src/app/install/program/launcher-script.ts'
import { BIN } from '../support/sandbox.ts'
import { untilHandled } from '../support/signal-handling.ts'
import { inPlace, type Place, type Start, WAYS } from './hook-starters.ts'

const PATIENCE_MS = 60_000
const CLIENTS = ['claude-code', 'gemini-cli', 'copilot-cli']

const programOf = (place: Place): readonly string[] => (place.way === 'native' ? [place.bin] : [process.execPath, BIN])

/** Started by a shell that takes something away first. */
const after =
  (line: string) =>
  (place: Place): Start => ({ program: ['sh', '-c', `${line}; exec "$@"`, '-', ...programOf(place)] })
const withEnv = (env: Readonly<Record<string, string>>) => (): Start => ({ env })
/** Signalled while it waits for its input, as soon as it handles that signal, and then given the rest. */
const signalled = (signal: NodeJS.Signals) => (): Start => ({
  play: async (child, payload) => {
    child.stdin?.write(payload.slice(0, 10))
    await untilHandled(child, signal)
    child.kill(signal)
    setTimeout(() => child.stdin?.end(payload.slice(10)), 50)
  },
})

const SMALL_STACK = 'ulimit -s 64'
/** Node 20 starts with so small a stack; Node 26 ends with a segmentation fault before it runs anything. */
const startsNode = (line: string): boolean =>
  spawnSync('sh', ['-c', `${line}; exec "$@"`, '-', process.execPath, '-e', '0']).status === 0

/** What an agent's own surroundings, or whoever shares the machine, may do to the hook. */
const SURROUNDINGS: Readonly<Record<string, (place: Place) => Start>> = {
  'no free descriptors': after('ulimit -n 4'),
  'few descriptors': after('ulimit -n 12'),
  'little memory': after('ulimit -v 60000'),
  'memory that a start of Node is short of': after('ulimit -v 700000'),
  'no file may grow': after('ulimit -f 0'),
  'a second on a core': after('ulimit -t 1'),
  'a small stack': after(SMALL_STACK),
  'closed stdin': after('exec <&-'),
  'an empty stdin': after('exec </dev/null'),
  'a folder as stdin': after('exec </'),
  'closed stderr': after('exec 2>&-'),
  'a full disk as stderr': after('exec 2>/dev/full'),
  'a folder that is gone': after('mkdir gone && cd gone && rmdir ../gone'),
  'no folder for what is temporary': withEnv({ TMPDIR: '/nowhere', TMP: '/nowhere', TEMP: '/nowhere' }),
  'options that Node does not know': withEnv({ NODE_OPTIONS: '--no-such-option' }),
  'a module that is not there': withEnv({ NODE_OPTIONS: '--require /nowhere.js' }),
  'a heap of a megabyte': withEnv({ NODE_OPTIONS: '--max-old-space-size=1' }),
  'no threads': withEnv({ UV_THREADPOOL_SIZE: '0' }),
  'a broken channel': withEnv({ NODE_CHANNEL_FD: '99' }),
  'an empty PATH': withEnv({ PATH: '' }),
  'a language that is none': withEnv({ LANG: 'xx_YY.nope', LC_ALL: 'xx_YY.nope', TZ: ':nowhere' }),
  ...Object.fromEntries(
    // what a process handles is seen on Linux only
    (
      [
        'SIGTERM',
        'SIGINT',
        'SIGHUP',
        'SIGQUIT',
        'SIGPIPE',
        'SIGALRM',
        'SIGXCPU',
        'SIGXFSZ',
        'SIGUSR1',
        'SIGUSR2',
        'SIGVTALRM',
        'SIGPROF',
      ] as const
    )
      .filter(() => process.platform === 'linux')
      .map(signal => [signal, signalled(signal)]),
  ),
}

/** Node itself does not start: with the native hook there is somebody who answers all the same. */
const WITHOUT_NODE: ReadonlySet<string> = new Set([
  'no free descriptors',
  'few descriptors',
  'little memory',
  'memory that a start of Node is short of',
  ...(startsNode(SMALL_STACK) ? [] : ['a small stack']),
])
/** The same, but for the launcher that `init` writes, which leaves the options out. */
const OF_LAUNCHERS: ReadonlySet<string> = new Set([
  'options that Node does not know',
  'a module that is not there',
  'a heap of a megabyte',
])

async function refusesAll(place: Place, startOf: ((place: Place) => Start) | undefined): Promise<void> {
  for (const client of CLIENTS) {
    const reply = await place.call(client, place.payload(client), startOf?.(place))
    expect({ client, ...reply, outcome: place.outcome(client, reply) }).toMatchObject({ outcome: 'refused' })
  }
}

describe.each([...WAYS])('%s, closed: nothing passes unjudged', way => {
  const names = Object.keys(SURROUNDINGS).filter(
    name => way === 'native' || !(WITHOUT_NODE.has(name) || OF_LAUNCHERS.has(name)),
  )
  it.each(names)('with %s', { timeout: PATIENCE_MS }, name =>
    inPlace(way, 'closed by the command', place => refusesAll(place, SURROUNDINGS[name])),
  )
})

describe('the launcher of a machine without the native hook, closed', () => {
  it.each([...OF_LAUNCHERS])('with %s', { timeout: PATIENCE_MS }, name =>
    inPlace('one-shot', 'closed by the command', async place => {
      const data = join(place.folder, 'launched')
      mkdirSync(data)
      symlinkSync(join(BIN, '../..'), join(data, 'current'))
      const file = join(data, 'signalbox')
      writeFileSync(file, renderLauncher(data, process.execPath), { mode: 0o755 })
      await refusesAll(place, here => ({ ...SURROUNDINGS[name]?.(here), program: [file] }))
    }),
  )
})
