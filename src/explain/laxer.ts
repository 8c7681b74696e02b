import { DECISIONS, type Decision } from '../core/index.ts'

export const laxer = (one: Decision, other: Decision): boolean => DECISIONS.indexOf(one) < DECISIONS.indexOf(other)
