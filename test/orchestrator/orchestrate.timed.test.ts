import { afterEach, expect, it } from 'vitest'
import { Stage } from './stage.ts'

let stage: Stage
afterEach(() => stage.end())

it('who holds on to its pipes is not waited for', async () => {
  stage = new Stage()
  stage.plays('claude', 'claude-ok', { last: 'env -i setsid sleep 25 &' })
  const began = Date.now()
  expect((await stage.run(['add a login page with a form'])).exitCode).toBe(0)
  expect(Date.now() - began).toBeLessThan(15_000)
})
