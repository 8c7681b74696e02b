/** Explains the numbers of a gate. */
export const COLUMN_TEXTS = {
  fired: 'how often it stopped an agent; repeated tries count as one stop',
  fixed: 'of these: the agent did what the gate required and continued',
  bypassed: 'of these: a person bypassed the gate',
  stuck: 'of these: five tries or more without success',
  left: 'of these: the agent moved on, which is the goal of a route',
  asked: 'calls that it asked the user about',
  would: 'calls that it would have blocked in mode `block`',
} as const
