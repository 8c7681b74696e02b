import { benchAudit } from './audit.ts'
import { benchCodeGate } from './code-gate.ts'
import { benchCold } from './cold.ts'
import { benchConcurrency } from './concurrency.ts'
import { benchDashboard } from './dashboard.ts'
import { benchEvaluate } from './evaluate.ts'
import { benchHostile } from './hostile.ts'
import type { Result } from './measure.ts'
import { benchOneShot } from './one-shot.ts'
import { benchPacks } from './packs.ts'
import { benchProof } from './proof.ts'
import { benchRedact } from './redact.ts'
import { benchReplay } from './replay.ts'
import { benchResident } from './resident.ts'
import { benchRoute } from './route.ts'
import { benchRoutes } from './routes.ts'
import { benchScores } from './scores/scores.ts'
import { benchStart } from './start.ts'
import { benchStats } from './stats.ts'
import { benchStore } from './store.ts'
import { benchMemory, benchThroughput } from './throughput.ts'

/** One benchmark a file; a new one is one line here. */
const benches: Readonly<Record<string, (project: string) => Result | Promise<Result>>> = {
  evaluate: benchEvaluate,
  routes: benchRoutes,
  route: benchRoute,
  redact: benchRedact,
  store: benchStore,
  audit: benchAudit,
  packs: benchPacks,
  proof: benchProof,
  replay: benchReplay,
  stats: benchStats,
  dashboard: benchDashboard,
  'one-shot': benchOneShot,
  concurrency: benchConcurrency,
  resident: benchResident,
  cold: benchCold,
  start: benchStart,
  'code-gate': benchCodeGate,
  throughput: benchThroughput,
  memory: benchMemory,
  hostile: benchHostile,
}

export async function run({ project, only }: { project: string; only: readonly string[] }): Promise<readonly Result[]> {
  const [first, ...args] = only
  // not a time: it runs only by its name, and has options of its own
  if (first === 'scores') return [benchScores(project, args)]
  const names = only.length > 0 ? only : Object.keys(benches)
  console.log(`${''.padEnd(46)}   median       p95       p99  to floor`)
  const results: Result[] = []
  for (const name of names) {
    const bench = benches[name]
    if (!bench) throw new Error(`no benchmark \`${name}\`: ${Object.keys(benches).join(', ')}`)
    results.push(await bench(project))
  }
  return results
}
