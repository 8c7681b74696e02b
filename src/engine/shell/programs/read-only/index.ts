export { isReadOnlyCommand } from './read-only-call.ts'
