import { join } from 'node:path'

export const verificationFolder = (state: string): string => join(state, 'proofs')

/** Where the result of `check` is kept, by the policy's hash: another policy, program or machine has another hash. */
export const verificationFile = (state: string, hash: string): string =>
  join(verificationFolder(state), `${hash.replace(/[^\w-]/g, '')}.json`)
