export { Unfit } from './edit.ts'
export { Malformed, parseJsonc, saidBy } from './jsonc.ts'
export { commandsIn, isHookOf, registered, unregistered } from './settings.ts'
