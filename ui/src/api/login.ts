import type { LoginReply, LoginRequest } from '../../../src/app/dashboard/api.ts'
import { postJson } from './request.ts'
import { storeToken } from './token.ts'

/** The address of `signalbox ui` ends in `#token=…`: it is exchanged for a key and a cookie, and taken out of the address at once. */
export async function login(): Promise<void> {
  const said = new URLSearchParams(location.hash.replace(/^#\/?/, ''))
  const token = said.get('token')
  if (token === null) return
  const to = said.get('to') ?? '/'
  history.replaceState(null, '', `#${to.startsWith('/') ? to : '/'}`)
  // what fails here shows on the page that asks next
  await postJson<LoginReply>('/api/login', { token } satisfies LoginRequest).then(
    ({ key }) => storeToken(key),
    () => {},
  )
}
