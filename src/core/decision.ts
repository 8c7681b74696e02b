export const DECISIONS = ['pass', 'allow', 'ask', 'deny'] as const // least to most strict
export type Decision = (typeof DECISIONS)[number]

const rank = (decision: Decision): number => DECISIONS.indexOf(decision)

export const strictest = (a: Decision, b: Decision): Decision => (rank(a) >= rank(b) ? a : b)

/** How much a decision holds an agent back: an explicit allow skips the person's own prompt, so it holds less than no opinion. */
const HOLD: Record<Decision, number> = { allow: 0, pass: 1, ask: 2, deny: 3 }

export const isWeaker = (a: Decision, b: Decision): boolean => HOLD[a] < HOLD[b]
