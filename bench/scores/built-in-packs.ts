import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { caseJudge } from './case-judge.ts'

/** Everybody's work. A pack that stops it in a new session says who works when, not what is dangerous. */
const EVERYDAY = ['git status', '{ edit: src/cart.ts }']

/** A policy that uses every built-in pack, without those that stop everyday work. */
export function builtInPacksPolicy(project: string): { readonly text: string; readonly left: readonly string[] } {
  const ids = readdirSync(join(project, 'packs'), { withFileTypes: true })
    .flatMap(one => (one.isDirectory() ? one.name : []))
    // in force without any policy
    .filter(id => id !== 'self-protection')
  const left = ids.filter(id => {
    const judge = caseJudge(`use: [${id}]`, project)
    return EVERYDAY.some(call => ['refused', 'asked'].includes(judge(call).answer))
  })
  return { text: `use: [${ids.filter(id => !left.includes(id)).join(', ')}]`, left }
}
