import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routeRequest } from '../src/app/orchestrate/router/index.ts'
import { interleaved, line, type Result, report } from './measure.ts'

/** A decision is made before an agent begins: nobody should notice. */
const BOUND_US = 1000
/** what fills all that is read of a request */
const LONG = 3
const RATIO = 100
const FIRST_MS = 100

/** Every labelled request in turn, one of a thousand words, and one of a megabyte of which the ends are read. */
export function benchRoute(project: string): Result {
  const file = (name: string) => readFileSync(join(project, `test/router/requests-${name}.txt`), 'utf8')
  const requests = ['en', 'world', 'wild']
    .flatMap(name => file(name).split('\n'))
    .filter(text => text !== '' && !text.startsWith('#'))
    .map(text => text.slice(text.indexOf(': ') + 2))
  const long = Array.from({ length: 1000 }, (_, nth) => requests[nth % requests.length]?.split(' ')[0]).join(' ')
  const log = `fix this:\n${'at handler (src/a.ts:1:2) TypeError: x is undefined\n'.repeat(20_000)}`
  let nth = 0
  const next = () => requests[nth++ % requests.length] ?? ''
  // time of our own: it happens once, so nothing averages out what others do meanwhile
  const began = process.cpuUsage()
  routeRequest('fix it')
  const first = process.cpuUsage(began).user / 1000
  const samples = interleaved(
    [
      () => next().toLowerCase().split(/\s+/),
      () => routeRequest(next()),
      () => routeRequest(long),
      () => routeRequest(log),
    ],
    { rounds: 300, batch: 10 },
  )
  const names = [
    'lower case and split at spaces',
    'one request',
    'a request of 1,000 words',
    'a log of 1 MB after a request',
  ]
  const lines = names.map((name, index) => line(name, samples[index] ?? []))
  const [floor = 0, ...all] = lines.map(({ us }) => us)
  const [one = 0] = all
  const most = Math.max(...all)
  return report('route', lines, [
    { text: `one request: ${one.toFixed(0)} µs ≤ ${BOUND_US} µs`, ok: one <= BOUND_US },
    { text: `any request: ${most.toFixed(0)} µs ≤ ${LONG * BOUND_US} µs`, ok: most <= LONG * BOUND_US },
    { text: `one request: ${(one / floor).toFixed(0)} × ≤ ${RATIO} ×`, ok: one / floor <= RATIO },
    { text: `the first, with the tables to index: ${first.toFixed(0)} ms ≤ ${FIRST_MS} ms`, ok: first <= FIRST_MS },
  ])
}
