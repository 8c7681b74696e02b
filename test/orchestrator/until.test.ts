import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { findUnmetCondition } from '../../src/app/orchestrate/workflow/until.ts'

it('a command that begins after the stop is ended at once', async () => {
  const where = { root: tmpdir(), env: process.env, timeoutMs: 60_000, stop: AbortSignal.abort() }
  expect(await findUnmetCondition({ run: 'exec sleep 20' }, where)).toBe('`exec sleep 20` ended with SIGKILL')
}, 60_000)
