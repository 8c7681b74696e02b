import type { Decision } from '../../src/engine/index.ts'

/** How much a decision holds an agent back: an explicit allow skips the person's own prompt, so it holds less than no opinion. */
const HOLD: Record<Decision, number> = { allow: 0, pass: 1, ask: 2, deny: 3 }

export const isWeaker = (a: Decision, b: Decision): boolean => HOLD[a] < HOLD[b]
