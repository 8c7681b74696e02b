import type { LoginReply, LoginRequest } from '../../../src/app/dashboard/api.ts'
import { postJson } from './request.ts'
import { storeToken } from './token.ts'

/** The URL from `signalbox ui` ends in `#token=…`. Exchanges the token for a key and a cookie, and removes it from the address at once. */
export async function login(): Promise<void> {
  const params = new URLSearchParams(location.hash.replace(/^#\/?/, ''))
  const token = params.get('token')
  if (token === null) return
  const to = params.get('to') ?? '/'
  history.replaceState(null, '', `#${to.startsWith('/') ? to : '/'}`)
  // a failure here shows up with the page's next request
  await postJson<LoginReply>('/api/login', { token } satisfies LoginRequest).then(
    ({ key }) => storeToken(key),
    () => {},
  )
}
