import { spawnSync } from 'node:child_process'
import { Installed } from './installed.ts'
import { line, type Result, report } from './measure.ts'

const ROUNDS = { warm: 100, measured: 300 }

/** A hook call as agents make it, spawn included: through the daemon, against a C program that only echoes. */
export async function benchResident(project: string): Promise<Result> {
  const there = new Installed(project)
  const { hook, hookArgs } = there
  try {
    const echo = await there.tool('echo')
    await there.daemon()
    const oneShot = [`${project}/bin/signalbox.cjs`, ...hookArgs]
    const node = process.execPath
    const works: Work[] = [
      ['a C program that echoes (floor)', echo, [], () => there.payload('small', 'ls'), false],
      ['sh -c true', '/bin/sh', ['-c', 'true'], () => '', false],
      ['hook, one gate, passed', hook, hookArgs, () => there.payload('small', 'ls'), true],
      ['hook, one gate, refused', hook, hookArgs, () => there.payload('small', 'git commit -m x'), true],
      ['hook, all packs', hook, hookArgs, () => there.payload('packs', 'git status --short'), true],
      ['one-shot, all packs', node, oneShot, () => there.payload('packs', 'git status --short'), true],
      ['node -e 0', node, ['-e', '0'], () => '', false],
      ...safetyNet(() => there.payload('small', 'git status --short')),
    ]
    const samples = works.map((): number[] => [])
    for (let round = 0; round < ROUNDS.warm + ROUNDS.measured; round++) {
      for (const nth of shuffled(works.length)) {
        const work = works[nth]
        if (!work) continue
        const [, program, args, input, isRecorded] = work
        // the others need no practice
        if (round < ROUNDS.warm && !isRecorded) continue
        const before = there.sent
        const { us } = await there.run(program, args, input())
        if (!isRecorded) there.sent = before
        if (round >= ROUNDS.warm) samples[nth]?.push(us)
      }
    }
    const answered = there.control('status').answered
    const { many, whole } = there.onRecord()
    const lines = works.map(([name], nth) =>
      line(
        name,
        (samples[nth] ?? []).sort((a, b) => a - b),
      ),
    )
    const [floor, , , , packs, , , peer] = lines
    const ratio = (packs?.us ?? Infinity) / (floor?.us ?? 1)
    const tail = (packs?.p95 ?? Infinity) / (floor?.p95 ?? 1)
    const calls = 3 * (ROUNDS.warm + ROUNDS.measured)
    return report('a hook call, spawn included', lines, [
      { text: `all packs: ${ratio.toFixed(2)} × the echo ≤ 1.8 ×`, ok: ratio <= 1.8 },
      { text: `all packs: ${tail.toFixed(2)} × the echo at p95 ≤ 3 ×`, ok: tail <= 3 },
      ...(peer
        ? [
            {
              text: `${(peer.us / (packs?.us ?? 1)).toFixed(0)} × as quick as cc-safety-net ≥ 40 ×`,
              ok: peer.us >= 40 * (packs?.us ?? 1),
            },
          ]
        : []),
      { text: `${answered} of ${calls} calls were answered by the daemon`, ok: answered >= calls },
      {
        text: `${many} of ${there.sent} calls are on record, and the trail is whole`,
        ok: many === there.sent && whole,
      },
    ])
  } finally {
    there.end()
  }
}

/** Each comes after each of the others: who follows a large program finds less of its own still at hand. */
function shuffled(many: number): readonly number[] {
  const all = Array.from({ length: many }, (_, nth) => nth)
  return all
    .map(nth => ({ nth, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ nth }) => nth)
}

type Work = readonly [name: string, program: string, args: readonly string[], input: () => string, isRecorded: boolean]

/** Another hook for the same purpose, where it is installed. */
function safetyNet(input: () => string): readonly Work[] {
  const found = spawnSync('sh', ['-c', 'command -v cc-safety-net'], { encoding: 'utf8' }).stdout.trim()
  if (!found) console.log('cc-safety-net is not installed: no peer')
  return found ? [['cc-safety-net', found, ['hook', '--claude-code'], input, false]] : []
}
