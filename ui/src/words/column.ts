/** Explains the numbers of a gate. */
export const COLUMN_TEXTS = {
  fired: 'how often it stopped an agent; tries until that was over count as one',
  fixed: 'of these: the agent did what the gate asked for, and went on',
  bypassed: 'of these: a person let it by',
  stuck: 'of these: five tries or more, and no way out found',
  left: 'of these: the agent did not try it again, and did something else; for a route, that is what it is for',
  asked: 'calls it asked a person about',
  would: 'calls it let through because it only watches or warns',
} as const
