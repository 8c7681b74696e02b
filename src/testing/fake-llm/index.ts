export type { LlmAnswer, LlmMessage, LlmRequest, LlmToolCall } from './protocol.ts'
export { messageAfterTurn, type ScriptPosition, scriptMarkOf } from './script.ts'
export { FakeLlm, type ReceivedRequest } from './server.ts'
