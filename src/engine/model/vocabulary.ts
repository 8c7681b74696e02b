/** The words a policy and an event have in common. */

export const EVENT_KINDS = [
  'session.start',
  'session.end',
  'prompt.submit',
  'tool.before',
  'tool.after',
  'tool.failed',
  'permission.request',
  'agent.start',
  'agent.stop',
  'turn.stop',
  'compact.before',
  'notification',
  'other',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** What one part of a call does. */
export const ACTION_KINDS = [
  'run',
  'read',
  'write',
  'delete',
  'fetch',
  'search',
  'spawn',
  'ask',
  'coordinate',
  'mcp',
  'other',
] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

/** Who made a prompt. */
export const PROMPT_SOURCES = ['user', 'command', 'system', 'agent'] as const
export type PromptSource = (typeof PROMPT_SOURCES)[number]

export const LAYERS = ['built-in', 'nested', 'project', 'user', 'managed'] as const // weakest to strongest
export type Layer = (typeof LAYERS)[number]

export type GateState = 'open' | 'closed'

/** How the id of a session begins that is none of an agent's: Signalbox tries whether a refusal comes back. */
export const CANARY_SESSION = 'signalbox-canary-'
