import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clients } from '../src/clients/index.ts'
import * as compiler from '../src/policy/compiler.ts'
import { Benches, replay } from '../src/replay/index.ts'
import { foldersOf } from '../src/runtime/index.ts'
import * as regex from '../src/runtime/regex.ts'
import * as shell from '../src/shell/index.ts'
import { POLICY } from './ground.ts'
import { type Result, report } from './measure.ts'

/** `SIGNALBOX_BENCH_EVENTS=1000000` for the whole of what is promised. */
const EVENTS = Number(process.env.SIGNALBOX_BENCH_EVENTS) || 100_000
const EACH_SESSION = 500
const BOUND_S = 60
const BOUND_MB = 64

/** A policy over the past, with all built-in gates: as it is, and against itself with a gate in another mode. */
export function benchReplay(project: string): Result {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const root = join(home, 'proj')
    mkdirSync(join(root, '.git'), { recursive: true })
    writeFileSync(join(root, 'signalbox.yaml'), POLICY.replace('    initial', '    mode: observe\n    initial'))
    const files = write(home, root)
    const floor = timed(() => {
      for (const file of files) for (const line of readFileSync(file, 'utf8').split('\n')) if (line) JSON.parse(line)
    })
    const parts = {
      clients: () => clients,
      shell: () => shell,
      regex: () => regex,
      compiler: () => compiler,
      packsDir: join(project, 'packs'),
    }
    const folders = { ...foldersOf({ HOME: home, SIGNALBOX_HOME: home }), userFile: join(home, 'none') }
    const trial = { kind: 'mode' as const, gate: 'tests-before-commit', mode: 'block' as const }
    const benches = new Benches({ parts, folders, env: {}, trial, here: root, only: root })
    const heaps: number[] = []
    const progress = (events: number) => {
      if (events % Math.round(EVENTS / 10) !== 0) return
      globalThis.gc?.()
      heaps.push(process.memoryUsage().heapUsed / 1e6)
    }
    const inForce = new Benches({ parts, folders, env: {}, trial: { kind: 'in force' }, here: root, only: root })
    const alone = timed(
      () => void replay({ benches: inForce, folders, env: {}, regex: regex.regex, progress: () => {} }),
    )
    let told = ''
    const took = timed(() => {
      const { tally } = replay({ benches, folders, env: {}, regex: regex.regex, progress })
      if (tally.events < EVENTS * 0.99 || tally.differ === 0)
        throw new Error(`${tally.events} events, ${tally.differ} differ`)
      told = `${tally.events.toLocaleString('en')} events, ${tally.sessions} sessions, ${tally.differ} differ`
    })
    const each = (seconds: number) => {
      const us = (seconds * 1e6) / EVENTS
      return { us, p95: us, p99: us }
    }
    const million = (took * 1e6) / EVENTS
    const growth = Math.max(...heaps.slice(2)) - Math.max(...heaps.slice(0, 2))
    return report(
      `replay: ${told}, time for an event`,
      [
        { name: 'reading the files and JSON.parse (floor)', ...each(floor) },
        { name: 'signalbox replay', ...each(alone) },
        { name: 'signalbox replay --gate', ...each(took) },
      ],
      [
        { text: `a million events in ${million.toFixed(1)} s ≤ ${BOUND_S} s`, ok: million <= BOUND_S },
        {
          text: `memory grew by ${growth.toFixed(0)} MB ≤ ${BOUND_MB} MB from the first fifth to the last`,
          ok: growth <= BOUND_MB,
        },
      ],
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Of this process alone: on a busy machine the clock on the wall tells more of the others. */
const timed = (work: () => void): number => {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1e6
}

const BEGIN = Date.UTC(2026, 0, 5, 9)

/** Sessions of an agent at work; ten of them overlap at any time. No two commands of a session are the same. */
function write(home: string, root: string): readonly string[] {
  const folder = join(home, '.claude/projects/-proj')
  mkdirSync(folder, { recursive: true })
  const output = 'ok  the output of a command as it usually is, a line or so\n'.repeat(8)
  return Array.from({ length: Math.ceil(EVENTS / EACH_SESSION) }, (_, session) => {
    const sessionId = `00000000-0000-4000-8000-${String(session).padStart(12, '0')}`
    const file = join(folder, `${sessionId}.jsonl`)
    const lines: string[] = []
    const began = BEGIN + session * 60_000
    const put = (nth: number, type: string, content: unknown, more: object = {}) => {
      const timestamp = new Date(began + nth * 2400).toISOString()
      const shared = {
        isSidechain: false,
        userType: 'external',
        cwd: root,
        sessionId,
        version: '2.1.325',
        gitBranch: 'main',
      }
      lines.push(JSON.stringify({ ...shared, type, message: { role: type, content, ...more }, timestamp, ...more }))
    }
    put(0, 'user', 'Mend the sum, run the tests and commit.')
    for (let nth = 1; nth < EACH_SESSION - 3; nth += 2) {
      const id = `toolu_${session}_${nth}`
      put(nth, 'assistant', [{ type: 'tool_use', id, ...callOf(session * EACH_SESSION + nth, root) }], {
        stop_reason: 'tool_use',
      })
      put(nth + 1, 'user', [{ type: 'tool_result', tool_use_id: id, content: output }], {
        toolUseResult: { stdout: output, stderr: '', interrupted: false },
      })
    }
    put(EACH_SESSION, 'assistant', [{ type: 'text', text: 'Done.' }], { stop_reason: 'end_turn' })
    appendFileSync(file, `${lines.join('\n')}\n`)
    return file
  })
}

function callOf(nth: number, root: string): { name: string; input: object } {
  const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'a step' } })
  const file = `${root}/src/part${nth % 97}/file${nth}.ts`
  if ((nth >> 1) % 48 === 47) return bash(`git commit -am "fix sum ${nth}"`)
  const all = [
    bash(`git status --short src/part${nth % 97}`),
    { name: 'Read', input: { file_path: file } },
    { name: 'Edit', input: { file_path: file, old_string: `a${nth}`, new_string: `b${nth}` } },
    bash(`npm test -- --filter "part ${nth}" 2>&1 | tail -20`),
    { name: 'Grep', input: { pattern: `sum${nth}`, path: root } },
    bash(`cd src && grep -rn "sum${nth}" . | head -5 && sed -n ${nth}p file${nth}.ts`),
    bash('npm test'),
  ]
  return all[(nth >> 1) % all.length] ?? bash('true')
}
