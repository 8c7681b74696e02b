import { DECISIONS, type Decision } from '../../../engine/index.ts'

export const isLessStrict = (one: Decision, other: Decision): boolean =>
  DECISIONS.indexOf(one) < DECISIONS.indexOf(other)
