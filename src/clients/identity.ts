import { digest } from '../pattern/index.ts'

/**
 * An event's identity: the ids a client gave it plus a fingerprint of what it is about. The ids alone are not enough:
 * models behind a proxy may number their calls anew in every turn, and a call must never get another call's answer.
 */
export const identityOf = (ids: readonly string[], about: string): string => [...ids, digest(about)].join('/')
