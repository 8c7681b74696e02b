import { call, prepare } from './bench-project.ts'
import { interleaved, line, type Result, report } from './measure.ts'

const BOUND = 2

const policyOf = (count: number): string => {
  const templates = Array.from(
    { length: count / 2 },
    (_, n) => `  t${n}: { url: "https://host${n}.example.com/:a/:b", message: "use tool ${n} for {a}" }\n`,
  )
  const regexes = Array.from(
    { length: count / 2 },
    (_, n) => `  r${n}: { pattern: 'service${n}\\.corp\\.net/[^/]+/item/\\d+', message: "use tool ${n}" }\n`,
  )
  return `routes:\n${templates.join('')}${regexes.join('')}`
}

/** Ten thousand routes cost what ten do: the index finds the few that can match. */
export function benchRoutes(): Result {
  const few = prepare(policyOf(10), undefined, { own: true })
  const many = prepare(policyOf(10_000), undefined, { own: true })
  const fetch = (url: string) => call('WebFetch', { url, prompt: 'x' })
  const none = fetch('https://docs.nodejs.org/api/fs.html')
  const byHost = fetch('https://host3.example.com/x/y')
  const byRegex = fetch('https://service3.corp.net/x/item/42')
  if (many.judge(byRegex).decision !== 'deny' || many.judge(byHost).decision !== 'deny')
    throw new Error('no route matched')
  if (many.judge(none).decision !== 'pass') throw new Error('a route matched')
  const payloads = [none, byHost, byRegex]
  const works = payloads.flatMap(payload => [() => few.judge(payload), () => many.judge(payload)])
  const samples = interleaved(works, { rounds: 600, batch: 20 })
  few.end()
  many.end()
  const names = ['no match', 'one match by host', 'one match by regex']
  const lines = names.flatMap((name, nth) => [
    line(`10 routes, ${name}`, samples[nth * 2] ?? []),
    line(`10,000 routes, ${name}`, samples[nth * 2 + 1] ?? []),
  ])
  const ratios = names.map((name, nth) => ({ name, ratio: (lines[nth * 2 + 1]?.us ?? 0) / (lines[nth * 2]?.us ?? 1) }))
  const targets = ratios.map(({ name, ratio }) => ({
    text: `${name}: ${ratio.toFixed(2)} × ≤ ${BOUND} ×`,
    ok: ratio <= BOUND,
  }))
  return report('routes', lines, targets)
}
