import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compile, hostCompilers, SOURCES } from '../../scripts/native.mjs'
import { clients } from '../../src/clients/index.ts'
import { DIALECTS } from '../support/clients/dialects.ts'
import { FIXTURES } from '../support/clients/payloads.ts'
import { isBuilt, onStage, pause, type Stage } from '../support/native/hook.ts'
import { BIN, type Ran } from '../support/sandbox.ts'

/** Both commands end in the middle of the same payload: the same words, to the letter. */
async function both(stage: Stage, args: readonly string[], input: string | Buffer, env: Record<string, string> = {}) {
  const all = { PATH: process.env.PATH ?? '', HOME: stage.home, SIGNALBOX_HOME: stage.home, ...env }
  const [native, bin] = await Promise.all(
    [[stage.bin], [process.execPath, BIN]].map(([program = '', ...words]) =>
      interrupted(program, [...words, 'hook', ...args], input, { cwd: stage.project, env: all }),
    ),
  )
  expect(native).toEqual(bin)
  return native
}

function interrupted(
  program: string,
  words: readonly string[],
  input: string | Buffer,
  how: { cwd: string; env: Record<string, string> },
) {
  return new Promise<Ran>((done, fail) => {
    const child = spawn(program, words, how)
    const said = { stdout: '', stderr: '' }
    child.stdout.on('data', chunk => {
      said.stdout += chunk
    })
    child.stderr.on('data', chunk => {
      said.stderr += chunk
    })
    child.stdin.on('error', () => {})
    child.on('error', fail)
    child.on('close', exitCode => done({ exitCode, ...said }))
    child.stdin.write(input)
    void untilListening(child.pid).then(() => child.kill('SIGTERM'))
  })
}

/** Until it would hear the last of the signals (Node has the others early), and has had the time to read what is there. */
async function untilListening(pid: number | undefined): Promise<void> {
  const caught = () => /SigCgt:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  while ((BigInt(`0x${caught()}`) & 1n) === 0n) await pause(5)
  await pause(150)
}

/** The rows of the fault table that end in the last resort, and every event that the client knows. */
function rowsOf(client: string): Record<string, { input: string | Buffer; args?: readonly string[] }> {
  const { call, tool, prompt, stop, other, before } = DIALECTS[client] ?? {}
  const whole = JSON.stringify(call?.('git push'))
  const spoiled = [whole.slice(0, -2), '\xff\xc0', whole.slice(-2)].map(text => Buffer.from(text, 'latin1'))
  return {
    call: { input: whole },
    'cut off': { input: whole.slice(0, -12) },
    'cut off, named by hand': { input: whole.slice(0, 20), args: ['--event', before ?? ''] },
    'empty, named by hand': { input: '', args: ['--event', before ?? ''] },
    'invalid UTF-8': { input: Buffer.concat(spoiled) },
    'unknown event': { input: JSON.stringify(other) },
    'a byte order mark': { input: `\uFEFF${whole}` },
    'an input and no tool': { input: JSON.stringify({ hook_event_name: 'Foo', tool_input: { frob: 'x' } }) },
    "Windsurf's call": {
      input: JSON.stringify({ agent_action_name: 'pre_run_command', tool_info: { command_line: 'x' } }),
    },
    'unknown tool': { input: JSON.stringify(tool?.('Teleport')) },
    prompt: { input: JSON.stringify(prompt) },
    stop: { input: JSON.stringify(stop) },
    ...Object.fromEntries(
      Object.entries(FIXTURES[client] ?? {}).map(([kind, payload]) => [kind, { input: JSON.stringify(payload) }]),
    ),
  }
}

const SANITIZERS = process.env.SIGNALBOX_NATIVE
  ? ['-g', '-DPOOL=1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']
  : ['-g']
const POSTURES = ['open', 'closed'] as const

describe.runIf(isBuilt).each(clients.map(({ id }) => id))(
  '%s: as bin/signalbox.cjs, ended in the middle of',
  client => {
    const rows = Object.entries(rowsOf(client)).filter(([row]) => ['call', 'cut off', 'prompt'].includes(row))

    it.each(rows)('%s', (_, { input, args = [] }) =>
      onStage(async stage => {
        await Promise.all(
          POSTURES.map(posture => both(stage, ['--client', client, ...args, '--on-error', posture], input)),
        )
      }),
    )
  },
)

describe.runIf(isBuilt)('the deadline', () => {
  it.each(['claude-code', 'generic'])('is told in the same words: %s', client =>
    onStage(async stage => {
      const how = {
        cwd: stage.project,
        env: { PATH: process.env.PATH ?? '', HOME: stage.home, SIGNALBOX_HOME: stage.home },
      }
      const words = ['hook', '--client', client, '--event', DIALECTS[client]?.before ?? '']
      const told = [
        [stage.bin, ...words],
        [process.execPath, BIN, ...words],
      ].map(
        ([program = '', ...rest]) =>
          new Promise(done => {
            const child = spawn(program, rest, how)
            const said: string[] = []
            child.stdout.on('data', chunk => said.push(String(chunk)))
            child.on('close', exitCode => done([exitCode, said.join('')]))
            child.stdin.on('error', () => {})
            child.stdin.write('{')
          }),
      )
      const [native, bin] = await Promise.all(told)
      expect(native).toEqual(bin)
    }),
  )
})

/** Thousands of payloads that nobody would send, in one process each. */
describe.runIf(isBuilt)('the last resort in C and in JavaScript', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-answers-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  const projects = { closed: join(folder, 'closed'), open: join(folder, 'open'), loud: join(folder, 'open/lö ud') }
  const at = (project: string) =>
    join(home, 'state/posture', createHash('sha256').update(project).digest('hex').slice(0, 16))

  function prepare() {
    for (const project of Object.values(projects)) mkdirSync(project, { recursive: true })
    mkdirSync(dirname(at('')), { recursive: true })
    writeFileSync(at(projects.closed), 'closed\n')
    writeFileSync(at(projects.open), 'open')
    writeFileSync(
      at(projects.loud),
      `\u00a0closed\n${JSON.stringify([
        { on: ['generic', 'claude-code'], errors: '.logs/deep/errors.log' },
        { on: ['cursor'], errors: '../out.log' },
      ])}\n `,
    )
    const bin = join(folder, 'bin/signalbox.cjs')
    cpSync(dirname(BIN), dirname(bin), { recursive: true })
    const [program = ''] = readFileSync(BIN, 'utf8').split('const argv = process.argv.slice(2)')
    writeFileSync(bin, `${program}module.exports = { lastResort }\n`)
    const driver = join(folder, 'answers')
    const sources = [
      join(import.meta.dirname, 'answers.c'),
      ...SOURCES.filter(one => /\/(event|failure-mode|json|place|resort|sha256|spool|text)\.c$/.test(one)),
    ]
    const [compiler] = hostCompilers().reverse()
    if (!compiler) throw new Error('no compiler')
    expect(compile(compiler.command, { sources, flags: SANITIZERS, out: driver })).toBe('')
    const { lastResort } = createRequire(import.meta.url)(bin)
    return { lastResort, driver }
  }

  it('say the same of whatever comes', () => {
    const { lastResort, driver } = prepare()
    const rows = clients.flatMap(({ id }) =>
      Object.values(rowsOf(id)).flatMap(({ input, args = [] }) =>
        POSTURES.map(posture => ({
          args: ['--client', id, ...args, '--on-error', posture],
          why: 'boom',
          payload: Buffer.from(input),
        })),
      ),
    )
    const cases = [...rows, ...Array.from({ length: 6000 }, (_, nth) => caseOf(random(nth + 1), projects))]
    const env = {
      ...process.env,
      SIGNALBOX_HOME: home,
      CLAUDE_PROJECT_DIR: join(projects.open, 'a/../lö ud/b'),
      NO_PROJECT_DIR: projects.open,
    }
    const frames = cases.map(({ args, why, payload }) => {
      const words = Buffer.from(args.map(word => `${word}\0`).join(''))
      const sizes = Buffer.alloc(12)
      for (const [index, size] of [words.length, Buffer.byteLength(why), payload.length].entries())
        sizes.writeUInt32LE(size, 4 * index)
      return Buffer.concat([sizes, words, Buffer.from(why), payload])
    })
    const ran = spawnSync(driver, { input: Buffer.concat(frames), env, maxBuffer: 1 << 30 })
    expect([ran.status, ran.stderr.toString()]).toEqual([0, ''])
    const native = readFileSync(join(projects.loud, '.logs/deep/errors.log'), 'utf8')
    rmSync(join(projects.loud, '.logs'), { recursive: true })
    const before = { ...process.env }
    Object.assign(process.env, env)
    let place = 0
    let refusals = 0
    for (const { args, why, payload } of cases) {
      const { exitCode, stdout, stderr } = lastResort(args, payload.toString('utf8'), why)
      const [code, out, err] = [0, 4, 8].map(offset => ran.stdout.readUInt32LE(place + offset))
      const told = ran.stdout.subarray(place + 12, place + 12 + (out ?? 0) + (err ?? 0)).toString()
      place += 12 + (out ?? 0) + (err ?? 0)
      if (/could not be evaluated/.test(stderr)) refusals++
      expect({ args, why, payload: payload.toString(), code, told }).toEqual({
        args,
        why,
        payload: payload.toString(),
        code: exitCode,
        told: `${stdout ? `${stdout}\n` : ''}${stderr}\n`,
      })
    }
    process.env = before
    expect(place).toBe(ran.stdout.length)
    expect(refusals).toBeGreaterThan(500)
    expect(cases.length - refusals).toBeGreaterThan(500)
    const timeless = (text: string) => text.replace(/"timestamp":"[^"]{24}"/g, '')
    expect(native.split('\n').length).toBeGreaterThan(100)
    expect(timeless(native)).toBe(timeless(readFileSync(join(projects.loud, '.logs/deep/errors.log'), 'utf8')))
    expect(existsSync(join(projects.open, 'out.log'))).toBe(false)
  }, 120_000)
})

/** The same ones each time. */
function random(seed: number): (below: number) => number {
  let state = (seed * 2654435761) >>> 0
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

function caseOf(below: (most: number) => number, projects: Record<string, string>) {
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const some = <T>(list: readonly T[]): readonly T[] => (below(3) === 0 ? [one(list)] : [])
  const ids = [...clients.map(({ id }) => id), 'nobody', '']
  const events = [
    ...clients.flatMap(({ refusable }) => refusable),
    'pre_tool_use',
    'PRETOOLUSE',
    'permission.Request',
    'BeforeTool',
    'constructor',
    '__proto__',
    'Stop',
    '',
  ]
  const client = one(ids)
  const fixtures = Object.values(FIXTURES[client] ?? FIXTURES.generic ?? {})
  const folders = [
    ...Object.values(projects),
    `${projects.closed}//x/../`,
    `${projects.open}/lo\\u0308`,
    `${projects.loud}/deep`,
    '/',
    'relative',
    `/${'a/'.repeat(2100)}`,
    '/x\\ud83d',
    '\\u0000',
  ]
  const words = () =>
    one([
      '"x"',
      '5',
      '-0.5e+3',
      'null',
      'true',
      '[]',
      '{}',
      '[1,[2,{"a":[]}]]',
      '"\\ud83d\\ude00"',
      '"\\u00e9\\n"',
      '"\\ud83d"',
      '"é😀"',
      '01',
      '"\\x"',
      '"\t"',
      '[',
      '-',
      '1e',
    ])
  const members = [
    ...some([`"hook_event_name":${JSON.stringify(one(events))}`]),
    ...some([`"hook_event_name":${words()}`]),
    ...some([`"hook\\u005fevent_name" : "${one(events)}"`]),
    ...some([
      '"event":"tool.before"',
      '"event"\u00a0:\u2003"prompt.submit"',
      '"hookName" :\n"preToolUse"',
      '"event":""',
    ]),
    ...some([`"cwd":"${one(folders)}"`]),
    ...some([`"cwd":"${one(folders)}"`, `"cwd":${words()}`]),
    ...some([
      '"tool_name":"Bash"',
      `"tool_name":${words()}`,
      `"tool_name":"${'é😀x'.repeat(90)}"`,
      '"toolName":"bash"',
    ]),
    ...some([
      '"tool_input":{"event":"Stop"}',
      '"toolArgs":{}',
      '"tool_result":"x"',
      `"x":${words()}`,
      `"pad":"${'é'.repeat(70_000)}"`,
    ]),
  ]
  const base =
    below(2) === 0
      ? JSON.stringify(one(fixtures)).replaceAll('/home/dev/proj', one(Object.values(projects)))
      : `{${members.join(',')}}`
  let payload = Buffer.from(below(20) === 0 ? `${one(['\ufeff', ' ', '\n', '[', 'null'])}${base}` : base)
  if (below(3) === 0) payload = payload.subarray(0, below(payload.length + 1))
  if (below(4) === 0 && payload.length > 0) {
    payload = Buffer.from(payload)
    for (let nth = below(4); nth >= 0; nth--) payload[below(payload.length)] = below(256)
  }
  const args = [
    ...(below(10) > 0 ? [one([['--client', client], [`--client=${client}`]])].flat() : []),
    ...(below(3) === 0 ? ([['--event', one(events)], [`--event=${one(events)}`]][below(2)] ?? []) : []),
    ...(below(2) === 0
      ? ([['--on-error', one(['closed', 'open', 'ajar'])], ['--on-error=closed'], ['--on-error']][below(3)] ?? [])
      : []),
  ]
  const why = one([
    'SIGTERM',
    'no reply within 2 s',
    'no reply within 5.25 s',
    'a "quoted" \\ reason\twith \u0001 signs é😀',
  ])
  return { args, why, payload }
}
