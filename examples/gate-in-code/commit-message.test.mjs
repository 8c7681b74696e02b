// @ts-check
// node --test
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { policyFile } from 'signalbox/testing'
import commitMessage from './commit-message.mjs'

const p = policyFile(fileURLToPath(new URL('signalbox.yaml', import.meta.url)), {
  code: { 'commit-message': commitMessage },
})

describe('commit-message', () => {
  it('lets a Conventional Commit pass', () => {
    assert.equal(p.event({ shell: 'git commit -m "fix(cart): round prices"' }).decision, 'pass')
    assert.equal(p.event({ shell: 'git add . && git commit -am "feat: gift cards"' }).decision, 'pass')
  })

  it('denies any other message and says what to write', () => {
    const { decision, gate, reason } = p.event({ shell: 'git commit -m "round prices"' })
    assert.deepEqual([decision, gate], ['deny', 'commit-message'])
    assert.match(reason, /Begin it with feat, fix/)
  })

  it('denies a message that it cannot read', () => {
    assert.match(p.event({ shell: 'git commit -m "$MESSAGE"' }).reason, /without variables/)
  })

  it('has no opinion about other commands', () => {
    assert.equal(p.event({ shell: 'git log -m' }).decision, 'pass')
    assert.equal(p.event({ write: 'src/cart.ts' }).decision, 'pass')
  })
})
