import type { Route } from '../../../engine/index.ts'
import { GRAM_LENGTH, type RouteIndex, type UrlPattern } from '../../../engine/index.ts'
import { requiredLiterals } from './required-literals.ts'

/** The URL patterns of a route; undefined if the route does not test the URL. */
function urlPatternsOf({ when }: Route): readonly UrlPattern[] | undefined {
  const top = 'all' in when ? when.all : [when]
  for (const condition of top) if ('key' in condition && condition.key === 'url') return condition.in
  return undefined
}

/** Indexes routes by host, or by the four characters of their regex that are rarest among all routes. */
export function indexRoutes(list: readonly Route[]): {
  readonly index: RouteIndex
  readonly unindexed: readonly number[]
} {
  const routes = list.map(urlPatternsOf)
  const grams = routes.map(patterns => (patterns ?? []).map(gramsOf))
  const frequency = new Map<string, number>()
  for (const gram of grams.flat(2)) frequency.set(gram, (frequency.get(gram) ?? 0) + 1)
  const hosts = new Map<string, Set<number>>()
  const byGram = new Map<string, Set<number>>()
  const rest = new Set<number>()
  const unindexed = new Set<number>()
  for (const [at, patterns] of routes.entries()) {
    if (!patterns) rest.add(at)
    for (const [nth, pattern] of (patterns ?? []).entries()) {
      const host = plainHost(pattern)
      const rarest = rarestGramOf(grams[at]?.[nth] ?? [], frequency)
      if (host !== undefined) for (const name of [host, `www.${host}`]) addToIndex(hosts, name, at)
      else if (rarest !== undefined) addToIndex(byGram, rarest, at)
      else {
        rest.add(at)
        unindexed.add(at)
      }
    }
  }
  return {
    index: { hosts: toIndexRows(hosts), grams: toIndexRows(byGram), rest: [...rest] },
    unindexed: [...unindexed],
  }
}

const plainHost = (pattern: UrlPattern): string | undefined =>
  'template' in pattern && !pattern.template.host.includes('*') ? pattern.template.host : undefined

function gramsOf(pattern: UrlPattern): readonly string[] {
  if (plainHost(pattern) !== undefined) return []
  const runs = 'regex' in pattern ? requiredLiterals(pattern.regex) : hostLiterals(pattern.template.host)
  return [...new Set(runs.flatMap(gramsOfLiteral))]
}

/** `*.atlassian.net` requires `.atlassian.net`; a `*` elsewhere is not a wildcard. */
const hostLiterals = (host: string): readonly string[] => (host.startsWith('*.') ? [host.slice(1)] : [])

const gramsOfLiteral = (run: string): readonly string[] =>
  Array.from({ length: Math.max(0, run.length - GRAM_LENGTH + 1) }, (_, at) => run.slice(at, at + GRAM_LENGTH))

function rarestGramOf(grams: readonly string[], frequency: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined
  for (const gram of grams) {
    if (best === undefined || (frequency.get(gram) ?? 0) < (frequency.get(best) ?? 0)) best = gram
  }
  return best
}

function addToIndex(rows: Map<string, Set<number>>, key: string, at: number): void {
  rows.set(key, (rows.get(key) ?? new Set()).add(at))
}

const toIndexRows = (map: ReadonlyMap<string, ReadonlySet<number>>): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries([...map].map(([key, at]) => [key, [...at]]))
