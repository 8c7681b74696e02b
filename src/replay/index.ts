export { Benches, type Trial, Untriable } from './benches.ts'
export { type Asked, type Replayed, replay, type Source } from './run.ts'
export { many, replayJson, showReplay } from './show.ts'
export type { Wanted } from './tally.ts'
