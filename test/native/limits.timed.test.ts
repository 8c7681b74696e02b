import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isBuilt, onStage, type Stage, type Told } from '../support/native/hook.ts'
import { Installed } from '../support/native/installed.ts'

/**
 * Too little of everything: memory, descriptors, processes, stack, file size, time. Whatever the limit, the call gets the real answer or the
 * one that its policy declares for failures. A crash would be an approval. Sanitizers need more memory than there is.
 */
const canLimit = isBuilt && !process.env.SIGNALBOX_NATIVE && existsSync('/usr/bin/prlimit')
const POSTURES = ['open', 'closed'] as const
type Posture = (typeof POSTURES)[number]

const policy = (posture: Posture): string => `
gates:
  g:
    onError: ${posture}
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]
`
const call = (cwd: string, more: object = {}): string =>
  JSON.stringify({
    ...{ session_id: 's', cwd, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    ...{ tool_input: { command: 'git push', ...more }, tool_use_id: 't' },
  })

const DECLARED: Record<Posture, RegExp> = {
  closed: /^2 signalbox: this call could not be evaluated, so the policy denies it: [^\n]+\n$/,
  open: /^0 \{"systemMessage":"signalbox: allowed without a check: [^\n]+"\}\nsignalbox: [^\n]+\n$/,
}
/** Also by a gate that needs no state, where there is none. */
const REAL =
  /^0 \{(?:"systemMessage":"signalbox: only rules that need no stored state were evaluated: [^"]*",)?"hookSpecificOutput":\{[^\n]*"permissionDecision":"deny"[^\n]*Do not push[^\n]*\}\n$/
const words = ({ exitCode, stdout, stderr }: Told): string => `${exitCode} ${stdout}${stderr}`

function kindOf(told: Told, posture: Posture): string {
  const said = words(told)
  if (REAL.test(said)) return 'real'
  // where not even the built-in gates can be judged, a call is denied whatever the policy declares
  return DECLARED[posture].test(said) || DECLARED.closed.test(said) ? 'declared' : said
}

/** What the kernel maps of a program before its first instruction, and how much of that is written to: it differs by the C library. */
function sizesOf(program: string): { readonly as: number; readonly data: number } {
  const elf = readFileSync(program)
  const first = Number(elf.readBigUInt64LE(0x20))
  const loads = Array.from({ length: elf.readUInt16LE(0x38) }, (_, nth) => first + nth * elf.readUInt16LE(0x36))
    .filter(at => elf.readUInt32LE(at) === 1)
    .map(at => ({ isWritten: (elf.readUInt32LE(at + 4) & 2) !== 0, size: Number(elf.readBigUInt64LE(at + 0x28)) }))
  const sum = (those: typeof loads) => those.reduce((all, { size }) => all + size, 0)
  return { as: sum(loads), data: sum(loads.filter(one => one.isWritten)) }
}

/** Stack and system pages; what a C library takes to begin with. */
const START: Readonly<Record<string, number>> = { as: 256 * 1024, data: 32 * 1024 }

/** Those with which the kernel starts it at all: below, nobody is there to answer. */
const startable = (name: string, values: readonly number[], program: string): readonly number[] =>
  name === 'as' || name === 'data'
    ? values.filter(value => value >= sizesOf(program)[name] + (START[name] ?? 0))
    : values

/** From little to more than enough. */
const LIMITS: Record<string, readonly number[]> = {
  nofile: Array.from({ length: 28 }, (_, nth) => nth + 3),
  as: [1e6, 2e6, 5e6, 2e7, 1e8, 4e8, 6e8, 7e8, 8e8, 2e9],
  data: [6e5, 1e6, 5e6, 5e7, 1e9],
  stack: [16_384, 24_576, 32_768, 65_536, 1e6],
  fsize: [0, 10, 4096, 1e5],
}

describe.runIf(canLimit)('with too little, the answer is the real one or the declared one', { timeout: 60_000 }, () => {
  const stages: Record<string, Installed> = {}
  afterAll(() => {
    for (const stage of Object.values(stages)) stage.end()
  })

  /** Has answered once, so that it is known what is declared. */
  async function staged(posture: Posture, isResident: boolean): Promise<Installed> {
    const name = `${posture} ${isResident}`
    if (stages[name]) return stages[name]
    const stage = new Installed(policy(posture))
    stages[name] = stage
    if (isResident) await stage.resident()
    const told = await stage.hook({ input: call(stage.project), env: isResident ? {} : { SIGNALBOX_DAEMON: 'off' } })
    expect(kindOf(told, posture)).toBe('real')
    return stage
  }

  const limited = (stage: Installed, limit: string, env: Record<string, string>): Promise<Told> => {
    const args = [`--${limit}`, stage.bin, 'hook', '--client', 'claude-code']
    return stage.start(args, { input: call(stage.project), env, program: '/usr/bin/prlimit' })
  }

  const rows = Object.entries(LIMITS).flatMap(([name, values]) =>
    [false, true].map(isResident => ({ name, values, isResident, who: isResident ? 'a daemon' : 'nobody' })),
  )
  it.each(rows)('$name, $who there', async ({ name, values, isResident }) => {
    const kinds = new Set<string>()
    for (const posture of POSTURES) {
      const stage = await staged(posture, isResident)
      await inTurns(startable(name, values, stage.bin), async value => {
        const told = await limited(stage, `${name}=${value}`, isResident ? {} : { SIGNALBOX_DAEMON: 'off' })
        const kind = kindOf(told, posture)
        expect({ name, value, posture, kind }).toEqual({ name, value, posture, kind: oneOf('real', 'declared') })
        kinds.add(kind)
      })
    }
    // it was too little, and it was enough
    expect(kinds).toContain('real')
    if (!isResident) expect(kinds).toContain('declared')
  })

  it.each(POSTURES)('a payload for which there is no memory: %s', async posture => {
    const stage = await staged(posture, true)
    const input = call(stage.project, { pad: 'x'.repeat(3_000_000) })
    const kinds = new Set<string>()
    await inTurns(startable('as', [1e6, 1.5e6, 2e6, 3e6, 5e6, 8e6, 12e6, 2e9], stage.bin), async value => {
      const args = [`--as=${value}`, stage.bin, 'hook', '--client', 'claude-code']
      const told = await stage.start(args, { input, program: '/usr/bin/prlimit' })
      const kind = kindOf(told, posture)
      expect({ value, kind }).toEqual({ value, kind: oneOf('real', 'declared') })
      kinds.add(kind)
      if (value < 3e6) expect(told.stderr).toContain('out of memory')
    })
    // with a gigabyte Node starts, too
    expect([...kinds].sort()).toEqual(['declared', 'real'])
  })
})

describe.runIf(canLimit && process.getuid?.() === 0)('too many processes', () => {
  const NOBODY = 65_534
  const give = (folder: string): void => {
    chownSync(folder, NOBODY, NOBODY)
    chmodSync(folder, 0o755)
    for (const one of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chownSync(join(folder, one), NOBODY, NOBODY)
  }
  const hook = (stage: Stage, most: number, posture: Posture) =>
    stage.start([`--nproc=${most}`, stage.bin, 'hook', '--client', 'claude-code', '--on-error', posture], {
      ...{ input: call(stage.project), uid: NOBODY, program: '/usr/bin/prlimit' },
    })

  it.each(POSTURES)('the launcher cannot be started, or cannot start anything: %s', posture =>
    onStage(async stage => {
      give(stage.folder)
      for (const most of [0, 1, 2]) {
        rmSync(join(stage.run, 'start'), { force: true })
        expect([most, words(await hook(stage, most, posture))]).toEqual([
          most,
          expect.stringMatching(DECLARED[posture]),
        ])
      }
    }),
  )
})

const oneOf = (...kinds: readonly string[]) => expect.stringMatching(new RegExp(`^(${kinds.join('|')})$`))

/** A few at a time: most of it is waiting for programs to start. */
async function inTurns<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...list]
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all([worker(), worker(), worker()])
}
