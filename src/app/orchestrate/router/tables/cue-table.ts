/**
 * Words that speak for an intent, by language and by weight: 1 is a hint, 5 decides. `stem*` is any word that begins so, `*end` one
 * that ends so, `^word` one that the request begins with; several words are a phrase, and a phrase is taken before the words in it. Chinese, Japanese and Korean
 * are found wherever they stand. Accents and case do not matter. A word may stand in several tables.
 */
export type CueTable = Readonly<Record<string, Readonly<Record<string, string>>>>
