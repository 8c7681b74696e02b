export type * from './event.ts'
export type * from './gate.ts'
export type * from './policy.ts'
