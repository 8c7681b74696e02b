import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A logged-in browser, with hashes of its cookie and key. */
interface StoredLogin {
  readonly cookie: string
  readonly key: string
}

/** Browsers at the same time; the oldest is dropped. */
const MAX_LOGINS = 16

/**
 * One token at a time, valid for one login, which gives a cookie and a key. Every later request needs both. 256 bits each. They are valid
 * only as long as this process runs: after that, another process could take the port and receive them from an open page.
 */
export class LoginKeys {
  /** part of the URL that `signalbox ui` prints */
  token = randomToken()
  #logins: readonly StoredLogin[] = []

  constructor(private readonly changed: (token: string) => void) {}

  /** Undefined if the token is wrong or already used. */
  login(token: string): { readonly cookie: string; readonly key: string } | undefined {
    if (!isSameSecret(sha256Hex(token), sha256Hex(this.token))) return undefined
    const [cookie, key] = [randomToken(), randomToken()]
    this.token = randomToken()
    this.#logins = [{ cookie: sha256Hex(cookie), key: sha256Hex(key) }, ...this.#logins].slice(0, MAX_LOGINS)
    this.changed(this.token)
    return { cookie, key }
  }

  /** Compares all logins in constant time. */
  isKnown(cookie: string, key: string): boolean {
    const [text, other] = [sha256Hex(cookie), sha256Hex(key)]
    return this.#logins
      .map(login => Number(isSameSecret(login.cookie, text)) & Number(isSameSecret(login.key, other)))
      .includes(1)
  }
}

const randomToken = (): string => randomBytes(32).toString('base64url')
const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Inputs are hashes, so they have the same length. */
const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))
