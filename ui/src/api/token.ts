/** Goes with every request beside the cookie, which every port of this machine is sent. Storage is of this port alone. */
const NAME = 'signalbox-key'

let key = readKept()

function readKept(): string {
  try {
    return localStorage.getItem(NAME) ?? ''
  } catch {
    return ''
  }
}

export const currentToken = (): string => key

/** Somebody said `signalbox ui` again, and another page of this address was let in. */
export function takeTokenFromAddress(): boolean {
  const kept = readKept()
  const isNew = kept !== '' && kept !== key
  if (isNew) key = kept
  return isNew
}

export function storeToken(said: string): void {
  key = said
  try {
    localStorage.setItem(NAME, said)
  } catch {
    // good until the page is left
  }
}
