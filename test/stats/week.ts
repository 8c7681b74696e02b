import type { AuditRecord } from '../../src/store/index.ts'
import { recordOf } from '../support/store/records.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** Six days up to yesterday noon, as the page about statistics tells of it: so that no midnight comes between. */
export function week(now: number, root: string): readonly AuditRecord[] {
  const gate = {
    gate: 'project/push-needs-tests',
    rule: 'untested',
    decision: 'deny',
    effect: 'deny',
    mode: 'block',
  } as const
  const trial = { ...gate, gate: 'project/no-rebase', rule: 'rebase', effect: 'none', mode: 'observe' } as const
  const reason = 'Run `npm test` first; pushing opens when it passes and closes at the next edit.'
  const refused = { decision: 'deny', gate: gate.gate, rule: gate.rule, matches: [gate], reason, ms: 2 } as const
  const opened = [{ gate: gate.gate, from: 'closed', to: 'open' }] as const
  const push = { acts: ['run git push'] }
  const noon = Math.floor(now / DAY) * DAY - DAY / 2
  return [5, 4, 3, 2, 1, 0].flatMap(day => {
    const of = (minute: number, more: Partial<AuditRecord>, session = `day-${day}`): AuditRecord =>
      recordOf({ root, client: 'claude-code', session, at: noon - day * DAY + minute * MINUTE, ms: 1.4, ...more })
    return [
      ...Array.from({ length: 20 - day * 2 }, (_, nth) => of(1, { acts: [`run grep ${nth} src`] })),
      of(2, { ...push, ...refused }),
      of(3, { acts: ['run npm test'], event: 'tool.after', moves: opened }),
      of(4, { ...push, ms: 4.7 }),
      ...(day % 2 === 0 ? [of(5, { acts: ['run git rebase main'], matches: [trial] })] : []),
      ...(day === 2 ? Array.from({ length: 6 }, () => of(6, { ...push, ...refused }, 'stuck')) : []),
      ...(day === 4 ? [of(7, { ...push, ...refused }, 'lifted')] : []),
      ...(day === 4 ? [of(8, { ...push, matches: [{ ...gate, effect: 'none', bypassed: true }] }, 'lifted')] : []),
      of(9, { acts: ['run git status'], whitelisted: true }),
    ]
  })
}
