import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../src/lib/json.ts'
import { Chance } from '../check/chance.ts'
import { policyOf } from '../check/generator.ts'
import { type InProcessSandbox, withInProcessSandbox } from '../support/in-process-sandbox.ts'
import { type Judged, replayedAuditLog, replayedTranscripts, toldToHook } from './hook-and-replay.ts'

const CAPTURES = resolve(import.meta.dirname, '../captures')

const linesOf = (file: string): readonly JsonObject[] =>
  readFileSync(join(CAPTURES, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

/** A random policy about what recorded sessions do. */
const policyFor = (seed: number, agents: readonly [string, string]): string =>
  stringify(policyOf(seed))
    .replaceAll('alpha', 'npm test')
    .replaceAll('beta', 'git commit')
    .replaceAll('gamma', 'git status')
    .replaceAll('delta', 'git push')
    .replaceAll('scout', agents[0])
    .replaceAll('builder', agents[1])

/** `REPLAY_POLICIES=200` for a longer walk. */
const MANY = Number(process.env.REPLAY_POLICIES ?? 11)
const FIRST = Number(process.env.REPLAY_FIRST ?? 0)
const SEEDS = Array.from({ length: MANY }, (_, nth) => FIRST + nth)

let compared = 0

/** Where the two differ first, of each session. */
function differenceOf(name: string, hook: readonly Judged[], replayed: readonly Judged[]): readonly string[] {
  compared += hook.length
  const at = hook.findIndex((one, nth) => JSON.stringify(one) !== JSON.stringify(replayed[nth]))
  if (at < 0 && hook.length === replayed.length) return []
  return [`${name}, event ${at}: hook ${JSON.stringify(hook[at])}, replay ${JSON.stringify(replayed[at])}`]
}

const atTheSameTime = async <T>(work: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 15, 8) })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

describe('the audit log replayed is what the hook decided', () => {
  const files = readdirSync(join(CAPTURES, 'sessions'))
  it.each(files)('%s', { timeout: 3_600_000 }, async file => {
    const client =
      ['claude-code', 'codex-cli', 'gemini-cli', 'qwen-code', 'opencode', 'copilot-cli'].find(id =>
        file.startsWith(id),
      ) ?? ''
    const differences: string[] = []
    await atTheSameTime(async () => {
      for (const seed of SEEDS) {
        const chance = new Chance(seed + 77)
        const policy = policyFor(seed, ['router', 'builder'])
        await withInProcessSandbox({ project: policy }, async sandbox => {
          const hook = await toldToHook(sandbox, client, linesOf(`sessions/${file}`), () =>
            chance.of([200, 1000, 20_000, 70_000]),
          )
          differences.push(...differenceOf(`${seed}`, hook, replayedAuditLog(sandbox)))
        })
      }
    })
    process.stdout.write(`${file}: ${compared} compared, ${differences.length} differ\n`)
    expect(differences).toEqual([])
  })
})

/** Compactions are not in a transcript of Gemini CLI. */
const isWrittenDown = ({ hook_event_name }: JsonObject): boolean => hook_event_name !== 'PreCompress'

function bring(sandbox: InProcessSandbox, folder: string): void {
  cpSync(join(CAPTURES, 'transcripts', folder), sandbox.home, { recursive: true })
  for (const path of readdirSync(sandbox.home, { recursive: true, encoding: 'utf8' })) {
    const file = join(sandbox.home, path)
    if (statSync(file).isFile() && !file.endsWith('.db'))
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/home/dev/proj', sandbox.project))
  }
}

describe('transcripts replayed are what the hook decided', () => {
  const folders = readdirSync(join(CAPTURES, 'transcripts')).filter(name => !name.startsWith('denied'))
  it.each(folders)('%s', { timeout: 3_600_000 }, async folder => {
    const client = folder.replace(/-[\d.]+$/, '')
    const differences: string[] = []
    await atTheSameTime(async () => {
      for (const seed of SEEDS) {
        await withInProcessSandbox({ project: policyFor(seed, ['helper', 'helper']) }, async sandbox => {
          bring(sandbox, folder)
          const hook = await toldToHook(
            sandbox,
            client,
            linesOf(`transcripts/${folder}/hooks.jsonl`).filter(isWrittenDown),
            () => 10,
          )
          differences.push(...differenceOf(`${seed}`, hook, replayedTranscripts(sandbox, client)))
        })
      }
    })
    process.stdout.write(`${folder}: ${compared} compared, ${differences.length} differ\n`)
    expect(differences).toEqual([])
  })
})
