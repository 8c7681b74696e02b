import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who was let in: marks of what it holds. */
interface Login {
  readonly cookie: string
  readonly key: string
}

/** Browsers at once; the oldest goes. */
const MOST_LOGINS = 16

/**
 * One token at a time, good for one login, which gives a cookie and a key: both are wanted from then on. 256 bits each. They are good as long as
 * this process is: as long as nobody else can listen at its port, and be told them by a page that is still open.
 */
export class Keys {
  /** in the URL that `signalbox ui` prints */
  token = random()
  #logins: readonly Login[] = []

  constructor(private readonly changed: (token: string) => void) {}

  /** Undefined: that is not the token (any more). */
  login(token: string): { readonly cookie: string; readonly key: string } | undefined {
    if (!isSame(digest(token), digest(this.token))) return undefined
    const [cookie, key] = [random(), random()]
    this.token = random()
    this.#logins = [{ cookie: digest(cookie), key: digest(key) }, ...this.#logins].slice(0, MOST_LOGINS)
    this.changed(this.token)
    return { cookie, key }
  }

  /** All are compared, each in a time that tells nothing. */
  isKnown(cookie: string, key: string): boolean {
    const [one, other] = [digest(cookie), digest(key)]
    return this.#logins.map(login => Number(isSame(login.cookie, one)) & Number(isSame(login.key, other))).includes(1)
  }
}

const random = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Of one length, whatever was sent. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))
