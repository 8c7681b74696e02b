/** The meanings that a colour can have. */
export type Tone = 'deny' | 'ask' | 'proven' | 'plain'

const TONES: Readonly<Record<string, Tone>> = {
  DENY: 'deny',
  deny: 'deny',
  ERROR: 'deny',
  error: 'deny',
  broken: 'deny',
  ASK: 'ask',
  ask: 'ask',
  unverified: 'ask',
  enforcing: 'proven',
}

export const toneOf = (word: string): Tone => TONES[word] ?? 'plain'

/** The tone of a `signalbox status` verdict. */
export function toneOfVerdict(word: string): Tone {
  if (word === 'ENFORCING') return 'proven'
  return word.startsWith('NOT') ? 'deny' : 'ask'
}
