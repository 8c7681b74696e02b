import type { Verdict, VerdictTexts } from '../types/index.ts'

/**
 * Stops the call. The agent reads the reason, so say what to do instead.
 *
 * @example
 * deny('Run `npm test` first.')
 */
export const deny = (reason: string, texts: VerdictTexts = {}): Verdict => ({ ...texts, decision: 'deny', reason })

/**
 * Asks the person before the call runs.
 *
 * @example
 * ask('This deletes the database.')
 */
export const ask = (reason: string, texts: VerdictTexts = {}): Verdict => ({ ...texts, decision: 'ask', reason })

/**
 * Approves the call, so that the agent does not ask the person. Use `pass` if the gate only has no objection.
 *
 * @example
 * allow('Reading the changelog is always fine.')
 */
export const allow = (reason: string, texts: VerdictTexts = {}): Verdict => ({ ...texts, decision: 'allow', reason })

/**
 * No opinion. With `context` the agent reads a remark, with `message` the person does.
 *
 * @example
 * pass({ context: 'The release branch is frozen until Monday.' })
 */
export const pass = (texts: VerdictTexts = {}): Verdict => ({ ...texts, decision: 'pass' })
