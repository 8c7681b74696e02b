import { join } from 'node:path'

export const proofFolder = (state: string): string => join(state, 'proofs')

/** Where the result of `check` is kept, by the policy's hash: another policy, program or machine has another hash. */
export const proofFile = (state: string, hash: string): string =>
  join(proofFolder(state), `${hash.replace(/[^\w-]/g, '')}.json`)
