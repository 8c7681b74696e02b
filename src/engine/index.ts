export type { EventRecord } from './evaluate/commit.ts'
export {
  actionsOf,
  type EventContext,
  type MatchContext,
  matchCondition,
  matchContextOf,
} from './evaluate/condition.ts'
export { type EvaluationResult, evaluate, proposeTransitions } from './evaluate/evaluate.ts'
export {
  type CodeGate,
  capabilityOf,
  type Evaluation,
  type EvaluationInput,
  type EvaluationTools,
  inferCaller,
  matchContextFor,
} from './evaluate/evaluation.ts'
export {
  closesAgain,
  judgeGate,
  lowerOutcome,
  type MatchedRule,
  mergeVerdicts,
  NO_OPINION,
  ruleApplies,
  strictestDecision,
} from './evaluate/judge.ts'
export { suggestionText } from './evaluate/rule-effect.ts'
export { type DenialTimes, NO_CONFLICTS, throttleDenial } from './evaluate/throttle.ts'
export { type AllowList, matchAllowLists } from './match/allow-list.ts'
export {
  type CommandMatcher,
  type CommandPattern,
  isOtherProgram,
  matchCommands,
  parseCommand,
  programName,
  toCommandLine,
} from './match/command.ts'
export type { Word, WordPattern } from './match/command-words.ts'
export { COUNTER_NAMES, turnsOf } from './match/counter.ts'
export { FILE_STATES, fileOf, matchFile } from './match/file-state.ts'
export { type PathPattern, parsePath, toAbsolute, toUnresolvedAbsolute } from './match/path.ts'
export { matchPathRef, type PathRef } from './match/path-ref.ts'
export { leavesOf, prefilterCondition } from './match/prefilter.ts'
export { findRouteCandidates, GRAM_LENGTH, type RouteIndex } from './match/route-index.ts'
export {
  type FieldPattern,
  fillTemplate,
  fitsStars,
  MAX_VALUE_LENGTH,
  matchFields,
  matchText,
  type Regex,
  type TextPattern,
} from './match/text.ts'
export { everyTruth, negate, type Quantifier, someTruth, type Truth } from './match/three-valued.ts'
export { matchesToolName } from './match/tool-name.ts'
export {
  findUrlMatch,
  isRest,
  normalizeUrl,
  parseUrlTemplate,
  type UrlPattern,
  urlNames,
  urlRegexes,
} from './match/url.ts'
export { matchShellWildcard } from './match/wildcard.ts'
export { UNKNOWN_PART } from './match/written-text.ts'
export { canonicalTools, isShell } from './model/canonical-tools.ts'
export {
  type Condition,
  type ConditionLeaf,
  isFactField,
  type SinceCondition,
  urlParts,
} from './model/condition.ts'
export type { CallStatus, Event, Facts, SubHookReply, ToolCall } from './model/event.ts'
export { type Action, actionsOfTool, type Caller, callerKey, callerLabel } from './model/event.ts'
export {
  type ClientText,
  type Gate,
  MODES,
  type Mode,
  type Program,
  type Route,
  type RouteTable,
  type Rule,
  type RuleDecision,
  type Transition,
} from './model/gate.ts'
export {
  agentName,
  type GateTimestamp,
  type GateVariables,
  isStaleAnswer,
  newSession,
  type Session,
} from './model/session.ts'
export {
  type Capabilities,
  type Capability,
  DECISIONS,
  type Decision,
  type Outcome,
  requestsApproval,
  type Suggestion,
  suggestedWords,
  type Verdict,
} from './model/verdict.ts'
export {
  ACTION_KINDS,
  type ActionKind,
  CANARY_SESSION,
  EVENT_KINDS,
  type EventKind,
  type GateState,
  LAYERS,
  type Layer,
  PROMPT_SOURCES,
  type PromptSource,
} from './model/vocabulary.ts'
export {
  inferToolShape,
  namesChange,
  namesOnlyReading,
  namesRemoval,
  scanToolInput,
  urlsOfMcpTool,
  wordsOfToolName,
} from './tool-shape/index.ts'
export type { ToolShape } from './tool-shape/tool-shape.ts'
