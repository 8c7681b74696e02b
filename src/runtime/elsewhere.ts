/** What a process that stays would answer otherwise than one of its own: it is for one of its own to answer. Nothing was decided. */
export class Elsewhere extends Error {}
