/** How cues are weighted. Tuned by hand on the tuning half of the labelled requests. */
export const CUE_WEIGHTS = {
  /** the first words say what is wanted */
  lead: { words: 3, factor: 1.25 },
  /** each further cue of the same intent counts this share of the previous one */
  further: 0.6,
  /** the same cue again */
  again: 0.3,
  /** after `no` or `without`, within this many words */
  negated: 0.25,
  reach: 3,
  misspelled: 0.7,
  /** the same cue counts at most this often */
  most: 3,
  /** a start value for frequent intents */
  prior: { feature: 0.5, bug_fix: 0.3, web_app: 0.15 } as Readonly<Record<string, number>>,
  /** small talk is short; in longer texts, `no` and `ok` refer to something else */
  small: { words: 5, factor: 0.25 },
}

export const NEGATION_WORDS: Readonly<Record<string, string>> = {
  en: 'no dont without not never nothing',
  de: 'nicht ohne kein keine nichts',
  fr: 'sans pas',
}

/** Words skipped at the beginning of a request. */
export const POLITE_WORDS = `please pls plz can could would you hey hi so ok now then also kindly just bitte kannst du stp svp i want we need to id like let lets`
