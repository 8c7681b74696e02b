export type { Checkup, Hooked, Launch, Read, Rehearsal, SettingsFile } from './checkup.ts'
/** How each agent's hooks go wrong, for `doctor` alone. */
export { checkups } from './desks.ts'
