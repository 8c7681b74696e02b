import { join } from 'node:path'

export const verificationFolder = (state: string): string => join(state, 'proofs')

/** Path of the stored result of `check`. The policy's hash differs for each policy, program version and machine. */
export const verificationFile = (state: string, hash: string): string =>
  join(verificationFolder(state), `${hash.replace(/[^\w-]/g, '')}.json`)
