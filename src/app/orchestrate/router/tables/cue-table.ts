/**
 * Words that vote for an intent, by language and weight: 1 is a hint, 5 decides. `stem*` matches a word with this beginning, `*end` a word
 * with this ending, `^word` only the first word of a request. Several words are a phrase, which wins over its single words. Chinese,
 * Japanese and Korean cues match anywhere. Accents and case do not matter. A word may be in several tables.
 */
export type CueTable = Readonly<Record<string, Readonly<Record<string, string>>>>
