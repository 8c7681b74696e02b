import { appendFileSync } from 'node:fs'
import type { Note } from '../../scripts/proof.mjs'

/** How it went is noted for the table at the end of a run. */
export async function noted<T>(about: Omit<Note, 'failed' | 'ms'>, work: () => Promise<T>): Promise<T> {
  const began = Date.now()
  const note = (failed: boolean): void => {
    const { SIGNALBOX_REAL_RESULTS: results } = process.env
    const one: Note = { ...about, failed, ms: Date.now() - began }
    if (results) appendFileSync(results, `${JSON.stringify(one)}\n`)
  }
  try {
    const result = await work()
    note(false)
    return result
  } catch (error) {
    note(true)
    throw error
  }
}
