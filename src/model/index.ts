export type { Answer, Asked, Message, ToolCall } from './dialect.ts'
export { markOf, type Place, toldAfter } from './script.ts'
export { type Heard, ScriptedModel } from './server.ts'
