export { ReplayPolicyLoader, type ReplayVariant, UnusableVariantError } from './policy-loader.ts'
export { type ReplayOptions, type ReplayResult, type ReplaySource, replay } from './replay.ts'
export { pluralize, replayJson, showReplay } from './show-replay.ts'
export type { RequestedEvent } from './tally.ts'
