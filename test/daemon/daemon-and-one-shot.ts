import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { decodeReply, encodeRequest, REPLY_STATUS } from '../../src/hook/daemon/frame.ts'
import { DaemonServer } from '../../src/hook/daemon/server.ts'
import { createLazyDependencies, createResidentHook, parseHookRequest } from '../../src/hook/entry/hook-process.ts'
import { createServices, handleEvent } from '../../src/hook/index.ts'
import { SqliteStore } from '../../src/store/index.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { BUNDLES } from '../support/bundles.ts'
import { heard } from '../support/daemon-client.ts'
import { replyIn } from '../support/reply-in.ts'
import { verifyStore } from '../support/store/verify-store.ts'
import { beginMarks } from './event-marks.ts'

/** `/home/dev/proj` and `/home/dev` of recordings are the project and the home of the place. */
export interface Event {
  readonly client: string
  readonly payload: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** below the project */
  readonly cwd?: string
  /** ms after the event before */
  readonly after?: number
  /** what somebody does to the files in between */
  readonly change?: (place: Place) => void
}

export interface Place {
  readonly home: string
  readonly project: string
  readonly state: string
}

export interface Story {
  readonly project?: string | undefined
  readonly user?: string | undefined
  readonly events: readonly Event[]
}

type Reply = { readonly exitCode: number; readonly stdout: string; readonly stderr: string }
type Answer = (call: {
  args: readonly string[]
  text: string
  env: Record<string, string>
  cwd: string
  now: number
}) => Promise<Reply>

export const BEGAN = Date.UTC(2026, 10, 15, 8)

/**
 * All that can be seen of a story afterwards, told by a process for each event and by one that stays. The same folder, one after the other.
 * `left`: how many events the one that stays has left to a process of its own, as it does where a policy is large.
 */
export async function bothWays(story: Story) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-two-'))
  try {
    const oneShot = await told(story, join(folder, 'w'), once)
    rmSync(join(folder, 'w'), { recursive: true })
    let left = 0
    const daemon = await told(story, join(folder, 'w'), place => staying(place, () => left++))
    return { oneShot, daemon, left }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function told(
  story: Story,
  folder: string,
  open: (place: Place) => Promise<{ answer: Answer; end: () => void }>,
) {
  const place = { home: join(folder, 'dev'), project: join(folder, 'dev/proj'), state: join(folder, 'dev/state') }
  mkdirSync(join(place.project, '.git'), { recursive: true })
  mkdirSync(join(place.project, 'src'))
  if (story.project !== undefined) writeFileSync(join(place.project, 'signalbox.yaml'), story.project)
  if (story.user !== undefined) writeFileSync(join(place.home, 'signalbox.yaml'), story.user)
  const { answer, end } = await open(place)
  beginMarks()
  const replies: unknown[] = []
  let now = BEGAN
  // the clock on the wall is that of the story, and no time runs out: on a busy machine one event may take longer than a call has
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now })
  // what tells two deliveries apart is made of the time and of chance
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  try {
    for (const { client, payload, args = [], env = {}, cwd = '', after = 1000, change } of story.events) {
      change?.(place)
      now += after
      vi.setSystemTime(now)
      const here = (text: string) => text.replaceAll('/home/dev', place.home)
      const own = { HOME: place.home, SIGNALBOX_HOME: place.home, PATH: '/usr/bin:/bin' }
      const call = { args: ['--client', client, ...args], text: here(payload), cwd: join(place.project, cwd), now }
      const mine = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]))
      const reply = await answer({ ...call, env: { ...own, ...mine } })
      replies.push({ ...reply, stdout: reply.stdout.replace(/"decision_time_ms":\d+/, '"decision_time_ms":0') })
    }
  } finally {
    end()
    chance.mockRestore()
    vi.useRealTimers()
  }
  return { replies, ...kept(place) }
}

const once = async () => ({
  answer: async ({ args, text, ...call }: Parameters<Answer>[0]) => {
    // a process of its own begins in its caller's folder and time zone
    const back = process.cwd()
    process.chdir(call.cwd)
    const zone = process.env.TZ
    if (call.env.TZ !== undefined) process.env.TZ = call.env.TZ
    const parts = createLazyDependencies(BUNDLES)
    const house = createServices(call.env, parts)
    try {
      const request = parseHookRequest(args, parts.client)
      if ('requiresOneShot' in request) throw new Error(request.requiresOneShot)
      const result = await handleEvent({ ...request, ...call, text, bytes: Buffer.from(text) }, house)
      // what a process prints
      const { exitCode, stdout, stderr } = replyIn(result)
      return { exitCode, stdout, stderr }
    } finally {
      house.store.close()
      process.chdir(back)
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  },
  end: () => {},
})

async function staying({ state }: Place, leaves: () => void) {
  let now = 0
  const resident = createResidentHook(state, BUNDLES)
  const host = { token: 'token', control: () => '', isOutdated: () => false, log: () => {} }
  const server = new DaemonServer({ ...host, answer: visit => resident.answer(visit) }, undefined, () => now)
  const path = join(state, '../../socket')
  await server.listen(path)
  return {
    answer: async (call: Parameters<Answer>[0]) => {
      now = call.now
      const frame = { kind: 'call', build: '', token: 'token', ...call, bytes: Buffer.from(call.text) } as const
      const reply = decodeReply(await heard(connect(path), 20_000, socket => socket.write(encodeRequest(frame))))
      if (reply?.status === REPLY_STATUS.notHere) {
        leaves()
        return (await once()).answer(call)
      }
      if (reply?.status !== REPLY_STATUS.answer) throw new Error(`status ${reply?.status}`)
      const { exitCode, stdout, stderr } = reply
      return { exitCode, stdout: stdout.replace(/\n$/, ''), stderr: stderr.replace(/\n$/, '') }
    },
    end: () => {
      server.shut()
      resident.close()
    },
  }
}

/** Sessions, shared gates, records but for how long they took, and the files that exports keep. */
function kept({ state, project }: Place) {
  const store = new SqliteStore(state)
  // whoever opens it wipes replies that have had their time, by the clock on the wall: all that were played here
  store.records({ last: 1 })
  const { ok, problems } = verifyStore(store)
  store.close()
  const driver = openDriver(join(state, 'signalbox.db'))
  const rows = (sql: string) =>
    driver
      .prepare(sql)
      .all()
      .map(row => ({ ...row }))
  const sessions = rows(
    'SELECT key, client, id, root, json, answers, seen_at, expires_at, restarted FROM sessions ORDER BY key',
  )
  const projects = rows('SELECT root, json, restarted FROM projects ORDER BY root')
  const meta = rows('SELECT name, value FROM meta ORDER BY name')
  const records = rows('SELECT seq, json, reply FROM records ORDER BY seq').map(({ seq, json, reply }) => {
    const { ms: _, ...record } = JSON.parse(String(json))
    return { seq, ...record, reply: reply && String(reply).replace(/decision_time_ms\\":\d+/, '') }
  })
  driver.close()
  return {
    sessions,
    projects,
    meta,
    records,
    trail: { ok, flaws: problems },
    files: filesIn(project),
    postures: filesIn(join(state, 'posture')),
  }
}

function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one => one.isFile())
  const paths = names.map(one => join(one.parentPath ?? one.path, one.name)).sort()
  return Object.fromEntries(paths.map(path => [path, readFileSync(path, 'utf8')]))
}
