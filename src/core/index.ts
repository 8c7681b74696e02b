export type {
  FieldPattern,
  GateIs,
  Json,
  JsonObject,
  Place,
  Regex,
  RouteIndex,
  Since,
  TextPattern,
  UrlPattern,
  Word,
} from '../pattern/index.ts'
export {
  ACTIONS,
  type Action,
  type CommandMatch,
  type Condition,
  EVENT_KINDS,
  type EventKind,
  type GateState,
  isObject,
  LAYERS,
  type Layer,
  PROMPT_SOURCES,
  type PromptSource,
} from '../pattern/index.ts'
export type { Act } from './act.ts'
export { agentName, type Caller, callerKey, callerLabel } from './caller.ts'
export { type Capabilities, type Capability, capabilityOf } from './capability.ts'
export { DECISIONS, type Decision, isWeaker, strictest } from './decision.ts'
export { messageOf } from './errors.ts'
export { evaluate, type Result } from './evaluate.ts'
export type { Call, Event, Status } from './event.ts'
export type { Facts } from './facts.ts'
export { tryRule } from './judge.ts'
export { lower } from './lower.ts'
export { merge } from './merge.ts'
export * from './program.ts'
export type { Match, Record } from './record.ts'
export { type GateMemory, newSession, type Session } from './session.ts'
export { actsOfTool, type ToolReading } from './tool.ts'
export { NO_OPINION, type Outcome, type Verdict } from './verdict.ts'
export type { CodeGate, Input, Tools } from './walk.ts'
