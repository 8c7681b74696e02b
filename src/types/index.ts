export type * from './gate.ts'
export type * from './policy.ts'
