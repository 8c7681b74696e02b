/** Explains the words of a decision, which are the same as in `signalbox log`. */
const MEANS: Readonly<Record<string, string>> = {
  deny: 'refused: the agent was told why, and what to do instead',
  ask: 'put to a person',
  error: 'something of Signalbox, or a hook of yours, failed',
  warn: 'let through, and the agent was warned',
  would: 'let through: a gate that only watches would have stopped it',
  bypass: 'let through: a person had lifted the gate that would have stopped it',
  allow: 'let through: a rule says `allow`',
  pass: 'let through: no gate had anything against it',
  opens: 'it opened a gate',
  closes: 'it closed a gate',
  skip: 'no rule of this gate is about such an event',
  observed: 'a gate that only watches would have stopped it',
  note: 'Signalbox about itself',
  '-': 'no gate had a word about it',
  canary: 'sent by Signalbox, to see whether a refusal comes back',
}

const SHOWN: Readonly<Record<string, string>> = {
  deny: 'DENY',
  ask: 'ASK',
  error: 'ERROR',
  would: 'would stop',
  '-': '–',
}

export const decisionMeaning = (word: string): string | undefined => MEANS[word.toLowerCase()]

/** The label of a word; upper case for denials, questions and errors. */
export const decisionLabel = (word: string): string => SHOWN[word] ?? word
