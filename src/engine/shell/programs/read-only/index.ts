export { isHelp } from './help.ts'
export { isReadOnlyCommand } from './read-only-call.ts'
