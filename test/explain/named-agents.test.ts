import { describe, expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'
import { FlipTally } from './play-flips.ts'

const policy = (spawns: string): string => `gates:
  main: { rules: [{ id: w, when: { action: write, caller: main }, then: deny, message: Agents write. }] }
  spawns: { rules: [{ id: s, ${spawns}, then: deny, message: Not that one. }] }
`
const ONLY_TWO = policy('when: { action: spawn }, unless: { agent: [builder, tester] }')

const changes = (of: string, ...more: readonly string[]): Promise<readonly string[]> =>
  withStage(async stage => {
    stage.put('signalbox.yaml', of)
    await stage.run(['explain', '--json', ...more, 'write: src/a.ts'])
    return JSON.parse(stage.said).counterfactuals.map(({ text }: { readonly text: string }) => text)
  })

describe('what an agent may do that the policy names only where it is spawned', () => {
  it('is shown, if no other agent may be spawned', async () => {
    expect(await changes(ONLY_TWO)).toEqual([
      'done by the agent `builder` this passes',
      'done by the agent `tester` this passes',
    ])
  })

  it('is not shown where any agent may do it', async () => {
    expect(await changes(policy('when: { action: spawn, caller: router }'))).toEqual(['done by any agent this passes'])
  })

  it('says `any other` where the agent itself may do it', async () => {
    const gate =
      'gates: { g: { rules: [{ when: { action: write }, unless: { caller: dba }, then: deny, message: No. }] } }'
    const found = await changes(gate, '--as', 'dba')
    expect(found).toContain('done by any other agent this is DENY')
    expect(found.join()).not.toContain('any agent')
  })

  it('is not shown of an agent that may not be spawned', async () => {
    const others = await changes(policy('when: { action: spawn, agent: builder }'))
    expect(others).toEqual(['done by an agent that the policy does not name this passes'])
  })

  it('holds when it is played through the hook', async () => {
    const tally = new FlipTally()
    await tally.play(ONLY_TWO, 'write: src/a.ts', 'only two')
    expect({ played: tally.played, failed: tally.failed, unread: tally.unread }).toEqual({
      played: 2,
      failed: [],
      unread: [],
    })
  })
})
