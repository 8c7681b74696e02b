/** `signalbox`: write a gate in code. */
export { defineGate } from './api/define-gate.ts'
export { allow, ask, deny, pass } from './api/verdicts.ts'
export type {
  Action,
  ActionKind,
  AgentEvent,
  BaseEvent,
  Caller,
  CallStatus,
  CodeGate,
  Decision,
  EventKind,
  EventMap,
  GateDefinition,
  GateEvent,
  GateSnapshot,
  GateState,
  GateTimestamp,
  PromptEvent,
  ToolCall,
  ToolEvent,
  ToolEventKind,
  Verdict,
  VerdictTexts,
} from './types/index.ts'
