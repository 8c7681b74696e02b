export type { LlmAnswer, LlmMessage, LlmRequest, LlmToolCall } from './dialect.ts'
export { messageAfterTurn, type ScriptPosition, scriptMarkOf } from './script.ts'
export { FakeLlm, type ReceivedRequest } from './server.ts'
