// @ts-check
// node --test
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyFile } from 'signalbox/testing'

for (const client of /** @type {const} */ (['claude-code', 'gemini-cli', 'codex-cli']))
  test(`a push to main is never silent in ${client}`, () => {
    const p = policyFile('signalbox.yaml', { client, given: { 'push-needs-tests': 'open' } })
    assert.notEqual(p.event({ shell: 'git push origin main' }).decision, 'pass')
  })
