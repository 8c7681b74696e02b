/** Words that policies and events share. */

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

/** What one action of a call does. */
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

/** Where a prompt comes from. */
export const PROMPT_SOURCES = ['user', 'command', 'system', 'agent'] as const
export type PromptSource = (typeof PROMPT_SOURCES)[number]

export const LAYERS = ['built-in', 'nested', 'project', 'user', 'managed'] as const // weakest to strongest
export type Layer = (typeof LAYERS)[number]

export type GateState = 'open' | 'closed'

/** Prefix of the session id of a canary: Signalbox's own test call, which checks that a denial comes back. */
export const CANARY_SESSION = 'signalbox-canary-'
