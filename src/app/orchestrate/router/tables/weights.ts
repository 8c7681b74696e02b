/** How cues are weighed. Fitted by hand on the half of the labelled requests that is for tuning. */
export const CUE_WEIGHTS = {
  /** what stands first is what is wanted */
  lead: { words: 3, factor: 1.25 },
  /** each further cue of the same intent counts this much of the one before */
  further: 0.6,
  /** the same cue once more */
  again: 0.3,
  /** after `no`, `without`, within this many words */
  negated: 0.25,
  reach: 3,
  misspelled: 0.7,
  /** the same cue is heard so often */
  most: 3,
  /** what is asked most often needs least to be believed */
  prior: { feature: 0.5, bug_fix: 0.3, web_app: 0.15 } as Readonly<Record<string, number>>,
  /** a greeting is short; in what is longer, `no` and `ok` are said of something */
  small: { words: 5, factor: 0.25 },
}

export const NEGATION_WORDS: Readonly<Record<string, string>> = {
  en: 'no dont without not never nothing',
  de: 'nicht ohne kein keine nichts',
  fr: 'sans pas',
  es: 'sin',
  pt: 'sem nao',
  it: 'senza non',
  ru: 'без не',
}

/** A request begins after these. */
export const POLITE_WORDS = `please pls plz can could would you hey hi so ok now then also kindly just bitte kannst du stp svp por favor per favore пожалуйста i want we need to id like let lets`
