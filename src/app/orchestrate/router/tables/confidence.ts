/**
 * Confidence from the best intent's score and its lead over the next: a logistic curve, fitted on labelled requests that were not used
 * for tuning the tables (`fitted` in `test/router/requests.ts`).
 */
export const CONFIDENCE_CURVE = { at: -1.02, ahead: 0.64, score: 0.27 }

/** A higher score does not raise the confidence further. */
export const MAX_COUNTED_SCORE = 8

/** The limits: never fully certain, and almost nothing without a known word. */
export const MAX_CONFIDENCE = 0.98
export const NO_CUE_CONFIDENCE = 0.15

/** Words that ask for something without saying what. A request of only these words is a guess. */
export const VAGUE_WORDS = `improve improved better make it its this that these those them things thing stuff everything something anything nicer nice good great best do done please again more
  continue go on the same all my our your a an bit lot some what how we discussed said as before ahead now just code app project mach es das besser alles bitte weiter ameliore le la ca mieux tout`
export const MAX_VAGUE_CONFIDENCE = 0.4

/** Below this, a person or an orchestrator decides. */
export const ESCALATION_THRESHOLD = 0.5

/** Another intent is reported too if it has at least this share of the best score. */
export const SECOND_INTENT_SHARE = 0.55
