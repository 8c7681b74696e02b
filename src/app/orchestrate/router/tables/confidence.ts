/**
 * How sure a decision is, from how far the best intent is ahead of the next and how much speaks for it: a logistic curve, fitted on labelled
 * requests whose errors nobody read (`fitted` in `test/router/requests.ts`).
 */
export const CONFIDENCE_CURVE = { at: -1.02, ahead: 0.64, score: 0.27 }

/** More than so much does not make it surer. */
export const MAX_COUNTED_SCORE = 8

/** Nothing is certain, and where no word is known nothing is known. */
export const MAX_CONFIDENCE = 0.98
export const NO_CUE_CONFIDENCE = 0.15

/** Words that say that something is wanted, and nothing of what: a request of these alone is no more than a guess. */
export const VAGUE_WORDS = `improve improved better make it its this that these those them things thing stuff everything something anything nicer nice good great best do done please again more
  continue go on the same all my our your a an bit lot some what how we discussed said as before ahead now just code app project mach es das besser alles bitte weiter ameliore le la ca mieux tout
  mejora lo todo mejor melhora isso tudo melhor migliora tutto meglio улучши это все лучше сделай`
export const MAX_VAGUE_CONFIDENCE = 0.4

/** Below this a person or an orchestrator decides. */
export const ESCALATION_THRESHOLD = 0.5

/** Another intent is told of too, where it has at least so much of what the best one has. */
export const SECOND_INTENT_SHARE = 0.55
