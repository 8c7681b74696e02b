import type { Intent } from '../../../../policy/intents.ts'
import cues from './cues.json' with { type: 'json' }

/**
 * Words that vote for an intent, by language and weight: 1 is a hint, 5 decides. `stem*` matches a word with this beginning, `*end` a word
 * with this ending, `^word` only the first word of a request. Several words are a phrase, which wins over its single words. Accents and
 * case do not matter. A word may be in several tables.
 */
export type CueTable = Readonly<Record<string, Readonly<Record<string, string>>>>

export const INTENT_CUES: Readonly<Record<Intent, CueTable>> = cues.intents

/** Cues for more and for less work. Each counts once; the weights are points. */
export const COMPLEXITY_CUES: Readonly<Record<'more' | 'less', CueTable>> = cues.complexity

/** Cues for cloud providers: 3 names the provider; 1 is a word others use too, and alone is not enough. */
export const CLOUD_CUES: Readonly<Record<'aws' | 'gcp' | 'azure', CueTable>> = cues.clouds
