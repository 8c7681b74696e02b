export type { Short } from './call.ts'
export type { Finding, StoryLine } from './finding.ts'
export { isProven, type Proof, type ProofInput, prove } from './prove.ts'
export { shortOf, stepWords } from './words.ts'
