export { type Allowance, matchAllowances } from './allowance.ts'
export { agentName, type Begun, beginOf, isAgentType, isLate, isSameAgent, nextBegun } from './begun.ts'
export { canonicalTools, isShell } from './canonical-tools.ts'
export {
  asTyped,
  baseName,
  type CommandMatch,
  type CommandPattern,
  isSystem,
  matchCommands,
  parseCommand,
  type Word,
} from './command.ts'
export { type Condition, type Since, urlParts, type Whitelisted } from './condition.ts'
export { COUNTERS, counterText, countSince, turnsOf } from './counter.ts'
export { digest } from './digest.ts'
export { messageOf } from './errors.ts'
export { inferTool } from './infer-tool.ts'
export { join } from './join.ts'
export { fieldText, isObject, type Json, type JsonObject, jsonText } from './json.ts'
export { localPath } from './local-path.ts'
export { mcpUrls } from './mcp-urls.ts'
export { MOMENTS, momentIn } from './moment.ts'
export { narrowed } from './narrow.ts'
export { type BesideSpawn, besideSpawn, isBesideSpawn, runsAlone, stillBeside } from './parallel-calls.ts'
export { anchored, type PathPattern, parsePath, toAbsolute } from './path.ts'
export { matchPlace, type Place } from './place.ts'
export { asOneList, type Refusal } from './refusal-steps.ts'
export { type Denials, gateObstacle, hookObstacle, nextDenials, refuse } from './repetition.ts'
export { findRoutes, GRAM, type RouteIndex } from './route-index.ts'
export { sha256Of } from './sha256.ts'
export { problemsWith } from './shape.ts'
export { asksApproval, type Suggest, suggestedWords, suggestText } from './suggest.ts'
export { fill, LONGEST_VALUE } from './template.ts'
export { type FieldPattern, matchFields, type Regex, type TextPattern, textTruth } from './text.ts'
export { sameTool } from './tool.ts'
export { searchInput } from './tool-input.ts'
export type { ToolShape } from './tool-shape.ts'
export { changes, onlyReads, takesAway, toolWords } from './tool-words.ts'
export { every, not, type Reading, some, type Truth, truth } from './truth.ts'
export { findUrl, parseUrlTemplate, plainUrl, type UrlPattern, urlNames, urlRegexes } from './url.ts'
export { visible, visibleJson } from './visible.ts'
export {
  ACTIONS,
  type Action,
  CANARY_SESSION,
  EVENT_KINDS,
  type EventKind,
  type GateState,
  LAYERS,
  type Layer,
  PROMPT_SOURCES,
  type PromptSource,
} from './vocabulary.ts'
export { clockOf, dayOf, wallOf } from './wall.ts'
export { matchShellName } from './wildcard.ts'
