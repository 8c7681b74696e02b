export { ReplayPolicyLoader, type ReplayVariant, UnusableVariantError } from './benches.ts'
export { type ReplayOptions, type ReplayResult, type ReplaySource, replay } from './run.ts'
export { pluralize, replayJson, showReplay } from './show.ts'
export type { RequestedEvent } from './tally.ts'
