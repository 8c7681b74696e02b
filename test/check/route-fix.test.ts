import { expect, it } from 'vitest'
import { FixSearch } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { inputOf, proofOf, withPolicies } from './ground.ts'

/** A route is in the way of what opens the gate. */
const policy = (before: string): string => `
routes:
${before}  docs: { url: "https://docs.acme.com/*rest", message: Use the docs tool. }
gates:
  read-first:
    initial: closed
    transitions:
      - { id: ok, from: closed, to: open, when: { event: tool.before, action: fetch, url: "https://docs.acme.com/guide" } }
    rules:
      - { id: r, while: closed, when: { action: write }, then: deny, message: Read the guide first. }
`
const on = { clients: clients.filter(one => one.id === 'claude-code') }

it('a route has no `unless`: what is to be pasted is a route before it, and mends it', () => {
  const advice = withPolicies((load, root) => {
    const loaded = load(policy(''))
    const { findings } = proofOf(loaded, root, on)
    const mending = new FixSearch(inputOf(loaded, root, on), findings)
    return findings.flatMap(one => mending.verifyFixes(one).fix.map(fix => fix.advice))
  })
  const pasted = 'docs-let: { url: "https://docs.acme.com/guide", allow: true }'
  expect(advice).toEqual([`let \`fetches https://docs.acme.com/guide\` pass: put \`${pasted}\` before it`])
  withPolicies((load, root) => expect(proofOf(load(policy(`  ${pasted}\n`)), root, on).findings).toEqual([]))
})
