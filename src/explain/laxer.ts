import { DECISIONS, type Decision } from '../core/index.ts'

export const isLessStrict = (one: Decision, other: Decision): boolean =>
  DECISIONS.indexOf(one) < DECISIONS.indexOf(other)
