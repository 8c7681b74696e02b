/** Explains the words of a decision, which are the same as in `signalbox log`. */
const MEANS: Readonly<Record<string, string>> = {
  deny: 'denied: the agent got the reason and what to do instead',
  ask: 'the user was asked',
  error: 'Signalbox or one of your hooks failed',
  warn: 'allowed, and the agent was warned',
  would: 'allowed: a gate that does not block would have denied it',
  bypass: 'allowed: the gate that would have denied it was bypassed',
  allow: 'allowed: a rule says `allow`',
  pass: 'allowed: no rule matched',
  opens: 'it opened a gate',
  closes: 'it closed a gate',
  skip: 'this gate has no rule for this kind of event',
  observed: 'a gate that does not block would have denied it',
  note: 'a record of Signalbox itself',
  '-': 'no rule matched',
  test: 'sent by Signalbox to test that a call can be denied',
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
