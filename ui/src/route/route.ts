import { useSyncExternalStore } from 'react'

/** The route: `#/feed/217?decision=deny`. In the fragment, so that one file serves every page and the route is not sent to the server. */
export interface Route {
  readonly page: string
  /** path parts after the page, decoded */
  readonly rest: readonly string[]
  readonly query: URLSearchParams
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s)
  const [page = '', ...rest] = path.split('/').map(decoded)
  return {
    page: page || 'overview',
    rest: rest.filter((part, nth) => part !== '' || (page === 'sessions' && nth === 1)),
    query: new URLSearchParams(search),
  }
}

/** The address of a page, without empty values. Keeps the chosen project. */
export function href(path: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const project = current().query.get('project') ?? undefined
  const pairs = Object.entries({ project, ...query }).filter((one): one is [string, string] => Boolean(one[1]))
  const search = new URLSearchParams(pairs).toString().replaceAll('%2C', ',')
  return `#/${path.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}

/** Turns `/feed?decision=deny` into `/#/feed?decision=deny`. */
export function movePathIntoHash(): void {
  const { pathname, search, hash } = location
  if (pathname === '/' || pathname === '/index.html') return
  history.replaceState(null, '', `/${hash || `#${pathname}${search}`}`)
}

const CHANGED = 'signalbox:route'

export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.hash) return
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  dispatchEvent(new Event(CHANGED))
}

/** Changes the filters of the current page. */
export function changeQuery(route: Route, changes: Readonly<Record<string, string | undefined>>): void {
  navigate(href([route.page, ...route.rest], { ...Object.fromEntries(route.query), ...changes }), { replace: true })
}

function subscribe(changed: () => void): () => void {
  const names = ['hashchange', 'popstate', CHANGED]
  for (const name of names) addEventListener(name, changed)
  return () => {
    for (const name of names) removeEventListener(name, changed)
  }
}

let last: { hash: string; route: Route } | undefined
const current = (): Route => {
  const { hash } = location
  if (last?.hash !== hash) last = { hash, route: parseRoute(hash) }
  return last.route
}

export const useRoute = (): Route => useSyncExternalStore(subscribe, current)
