import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who was let in: marks of what it holds. */
interface StoredLogin {
  readonly cookie: string
  readonly key: string
}

/** Browsers at once; the oldest goes. */
const MAX_LOGINS = 16

/**
 * One token at a time, good for one login, which gives a cookie and a key: both are wanted from then on. 256 bits each. They are good as long as
 * this process is: as long as nobody else can listen at its port, and be told them by a page that is still open.
 */
export class LoginKeys {
  /** in the URL that `signalbox ui` prints */
  token = randomToken()
  #logins: readonly StoredLogin[] = []

  constructor(private readonly changed: (token: string) => void) {}

  /** Undefined: that is not the token (any more). */
  login(token: string): { readonly cookie: string; readonly key: string } | undefined {
    if (!isSameSecret(sha256Hex(token), sha256Hex(this.token))) return undefined
    const [cookie, key] = [randomToken(), randomToken()]
    this.token = randomToken()
    this.#logins = [{ cookie: sha256Hex(cookie), key: sha256Hex(key) }, ...this.#logins].slice(0, MAX_LOGINS)
    this.changed(this.token)
    return { cookie, key }
  }

  /** All are compared, each in a time that tells nothing. */
  isKnown(cookie: string, key: string): boolean {
    const [one, other] = [sha256Hex(cookie), sha256Hex(key)]
    return this.#logins
      .map(login => Number(isSameSecret(login.cookie, one)) & Number(isSameSecret(login.key, other)))
      .includes(1)
  }
}

const randomToken = (): string => randomBytes(32).toString('base64url')
const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Of one length, whatever was sent. */
const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))
