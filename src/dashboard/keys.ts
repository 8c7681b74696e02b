import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who was let in: marks of what it holds, so that this can be kept in a file. */
interface Login {
  readonly cookie: string
  readonly key: string
}

export interface KeptKeys {
  /** in the URL that `signalbox ui` prints */
  readonly token: string
  readonly logins: readonly Login[]
}

/** Browsers at once; the oldest goes. */
const MOST_LOGINS = 16

/** One token at a time, good for one login, which gives a cookie and a key: both are wanted from then on. 256 bits each. */
export class Keys {
  #token: string
  #logins: readonly Login[]

  constructor(
    kept: KeptKeys | undefined,
    private readonly changed: (keys: KeptKeys) => void,
  ) {
    this.#token = kept?.token ?? random()
    this.#logins = kept?.logins ?? []
  }

  get kept(): KeptKeys {
    return { token: this.#token, logins: this.#logins }
  }

  /** Undefined: that is not the token (any more). */
  login(token: string): { readonly cookie: string; readonly key: string } | undefined {
    if (!isSame(digest(token), digest(this.#token))) return undefined
    const [cookie, key] = [random(), random()]
    this.#token = random()
    this.#logins = [{ cookie: digest(cookie), key: digest(key) }, ...this.#logins].slice(0, MOST_LOGINS)
    this.changed(this.kept)
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
