export { type AllowList, matchAllowLists } from './allowance.ts'
export {
  type AgentTurns,
  agentName,
  isAgentType,
  isSameAgent,
  isStaleAnswer,
  nextAgentTurns,
  startTurnOf,
} from './begun.ts'
export { canonicalTools, isShell } from './canonical-tools.ts'
export {
  type CommandMatcher,
  type CommandPattern,
  isSystemProgram,
  matchCommands,
  parseCommand,
  programName,
  toCommandLine,
  type Word,
} from './command.ts'
export { type AllowListCondition, type Condition, type SinceCondition, urlParts } from './condition.ts'
export { COUNTER_NAMES, counterText, countSince, turnsOf } from './counter.ts'
export { fnv64 } from './digest.ts'
export { messageOf } from './errors.ts'
export { inferToolShape } from './infer-tool.ts'
export { joinDistinct } from './join.ts'
export { fieldText, isObject, type Json, type JsonObject, jsonText } from './json.ts'
export { localPath } from './local-path.ts'
export { urlsOfMcpTool } from './mcp-urls.ts'
export { parseTimeArgument, TIME_ARGUMENT_HELP } from './moment.ts'
export { prefilterCondition } from './narrow.ts'
export {
  closeParallelWindow,
  extendParallelWindow,
  isInParallelWindow,
  openParallelWindow,
  type ParallelWindow,
} from './parallel-calls.ts'
export { type PathPattern, parsePath, toAbsolute, toUnresolvedAbsolute } from './path.ts'
export { matchPathRef, type PathRef } from './place.ts'
export { mergeRefusals, type Refusal } from './refusal-steps.ts'
export { type DenialTimes, gateDenialSource, hookDenialSource, nextDenialTimes, throttleDenial } from './repetition.ts'
export { findRouteCandidates, GRAM_LENGTH, type RouteIndex } from './route-index.ts'
export { sha256Of } from './sha256.ts'
export { shapeErrors } from './shape.ts'
export { requestsApproval, type Suggestion, suggestedWords, suggestionText } from './suggest.ts'
export { fillTemplate, MAX_VALUE_LENGTH } from './template.ts'
export { type FieldPattern, matchFields, matchText, type Regex, type TextPattern } from './text.ts'
export { matchesToolName } from './tool.ts'
export { scanToolInput } from './tool-input.ts'
export type { ToolShape } from './tool-shape.ts'
export { namesChange, namesOnlyReading, namesRemoval, wordsOfToolName } from './tool-words.ts'
export { everyTruth, negate, type Quantifier, someTruth, type Truth, truthOf } from './truth.ts'
export { findUrlMatch, normalizeUrl, parseUrlTemplate, type UrlPattern, urlNames, urlRegexes } from './url.ts'
export { escapeControlChars, escapeControlCharsInJson } from './visible.ts'
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
} from './vocabulary.ts'
export { localClock, localDay, localTime } from './wall.ts'
export { matchShellWildcard } from './wildcard.ts'
