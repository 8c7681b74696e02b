import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { pause } from '../support/native/hook.ts'
import { kill } from '../support/native/installed.ts'
import type { Ran } from '../support/sandbox.ts'
import { CLIENTS, inPlace, type Place, POSTURES, WAYS } from './hook-starters.ts'

/**
 * Whatever goes wrong, on a machine as busy as it may be: where failures are `closed` no call passes that nobody judged, and where they are `open`
 * the person is told. A call that was judged after all is as good: the policy denies it. Nothing here depends on how long anything takes.
 */
/** Longer than the two seconds that a payload may take to come, and that judging it may take. */
const TOO_LATE_MS = 2300
/** Longer than the five seconds after which a start of Node fails at once. */
const LATER_THAN_ANY_START_MS = 5300

/** Nobody can have judged the call: where failures are `open`, it passes. */
const NEVER_JUDGED: ReadonlySet<string> = new Set(['the payload never comes', 'stdin is empty', 'the program is gone'])

const FAULTS: Readonly<Record<string, (place: Place, client: string) => Promise<Ran>>> = {
  'Node starts slowly': (place, client) => {
    const file = join(place.folder, 'slow.cjs')
    writeFileSync(file, `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${TOO_LATE_MS})`)
    return place.call(client, place.payload(client), { env: { NODE_OPTIONS: `--require ${file}` } })
  },
  'Node starts later than it may': (place, client) => {
    const file = join(place.folder, 'slow.cjs')
    writeFileSync(file, `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${LATER_THAN_ANY_START_MS})`)
    return place.call(client, place.payload(client), { env: { NODE_OPTIONS: `--require ${file}` } })
  },
  'the payload comes too late': (place, client) =>
    place.call(client, place.payload(client), {
      play: async ({ stdin }, payload) => {
        await pause(TOO_LATE_MS)
        stdin?.end(payload)
      },
    }),
  'half of the payload comes too late': (place, client) =>
    place.call(client, place.payload(client), {
      play: async ({ stdin }, payload) => {
        stdin?.write(payload.slice(0, payload.length / 2))
        await pause(TOO_LATE_MS)
        stdin?.end(payload.slice(payload.length / 2))
      },
    }),
  'the payload never comes': (place, client) => place.call(client, '', { play: () => {} }),
  'stdin never ends': (place, client) =>
    place.call(client, place.payload(client), { play: ({ stdin }, payload) => stdin?.write(payload) }),
  'stdin is empty': (place, client) => place.call(client, ''),
  'the hook is stopped for a while': (place, client) =>
    place.call(client, place.payload(client), {
      play: async (child, payload) => {
        child.kill('SIGSTOP')
        child.stdin?.end(payload)
        await pause(TOO_LATE_MS)
        child.kill('SIGCONT')
      },
    }),
  'it is told to end': (place, client) =>
    place.call(client, place.payload(client), {
      play: (child, payload) => {
        child.stdin?.write(payload.slice(0, -1))
        const end = async () => {
          // before it listens a signal is the client's own decision
          while (child.pid !== undefined && !hearsHangUp(child.pid)) await pause(10)
          child.kill('SIGTERM')
        }
        void end()
      },
    }),
  'somebody else holds the state': async (place, client) => {
    mkdirSync(place.state, { mode: 0o700 })
    const driver = openDriver(join(place.state, 'signalbox.db'))
    driver.exec('CREATE TABLE held (x); BEGIN EXCLUSIVE')
    try {
      return await place.call(client, place.payload(client))
    } finally {
      driver.close()
    }
  },
  'the database cannot be written': (place, client) => {
    writeFileSync(place.state, 'no folder')
    return place.call(client, place.payload(client))
  },
  'the program is gone': (place, client) => place.call(client, place.payload(client), { program: place.bare }),
  'the program is gone, and the payload cut off': (place, client) =>
    place.call(client, place.payload(client).slice(0, 40), { program: place.bare }),
  'what is kept is spoiled': async (place, client) => {
    await place.call(client, place.payload(client))
    for (const folder of ['posture', 'policies', 'code', 'compiled'])
      for (const name of filesIn(join(place.state, folder))) writeFileSync(name, 'spoiled')
    return place.call(client, place.payload(client, { session_id: 'another' }), { program: place.bare })
  },
  'what is kept of the policy cannot be read': async (place, client) => {
    await place.call(client, place.payload(client))
    for (const name of filesIn(join(place.state, 'posture'))) {
      rmSync(name)
      mkdirSync(name)
    }
    return place.call(client, place.payload(client), { program: place.bare })
  },
  'the daemon hangs': async (place, client) => {
    const pid = place.way === 'native' ? await place.resident() : undefined
    if (pid !== undefined) kill(pid, 'SIGSTOP')
    return place.call(client, place.payload(client))
  },
}

/** The signal that Node is told of last; the native hook hears all of them or none. A process that has ended hears nothing more. */
function hearsHangUp(pid: number): boolean {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return true
  }
  const caught = Number.parseInt(/SigCgt:\s*\w*(\w)/.exec(status)?.[1] ?? '1', 16)
  return /State:\s*Z/.test(status) || (caught & 1) === 1
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map(name => join(folder, name))
  } catch {
    return []
  }
}

/** Each fault with each posture and with each client, not all with all; those of one fault at the same time, as most of the time they wait. */
const casesOf = (nth: number) =>
  POSTURES.flatMap((posture, which) =>
    [0, 1].map(half => ({ posture, client: CLIENTS[(nth + which + 4 * half) % CLIENTS.length] ?? '' })),
  )

describe.each([...WAYS])('%s', { timeout: 90_000 }, way => {
  it.each(Object.entries(FAULTS).map(([fault, play], nth) => ({ fault, play, nth })))(
    '$fault',
    async ({ fault, play, nth }) => {
      const wrong = await Promise.all(
        casesOf(nth).map(({ posture, client }) =>
          inPlace(way, posture, async place => {
            const outcome = place.outcome(client, await play(place, client))
            const isPass = outcome.startsWith('passed')
            const isRightOpen = isPass || (outcome === 'refused' && !NEVER_JUDGED.has(fault))
            const isRight = posture === 'open' ? isRightOpen : outcome === 'refused'
            return isRight ? [] : [{ posture, client, outcome }]
          }),
        ),
      )
      expect(wrong.flat()).toEqual([])
    },
  )
})
