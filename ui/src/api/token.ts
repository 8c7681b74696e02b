/** The key is sent with every request in addition to the cookie: browsers send cookies to every port, but storage belongs to one port. */
const NAME = 'signalbox-key'

let key = readStored()

function readStored(): string {
  try {
    return localStorage.getItem(NAME) ?? ''
  } catch {
    return ''
  }
}

export const currentToken = (): string => key

/** Takes over a newer key from storage, after `signalbox ui` ran again and another tab of this address logged in. */
export function takeNewStoredToken(): boolean {
  const stored = readStored()
  const isNew = stored !== '' && stored !== key
  if (isNew) key = stored
  return isNew
}

export function storeToken(token: string): void {
  key = token
  try {
    localStorage.setItem(NAME, token)
  } catch {
    // no storage: the key lasts until the page is closed
  }
}
