import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Result } from '../measure.ts'
import { builtInPacksPolicy } from './built-in-packs.ts'
import { caseJudge } from './case-judge.ts'
import { readCorpus } from './corpus.ts'
import { missesText, reportText, targetsOf } from './report.ts'
import { scoreCorpus } from './tally.ts'

const OPTIONS = { policy: { type: 'string' }, misses: { type: 'boolean' } } as const

/** How well a policy tells dangerous calls from harmless ones: `scores [--policy FILE] [--misses]`. */
export function benchScores(project: string, args: readonly string[]): Result {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const corpus = readCorpus(join(project, 'bench/corpus'))
  const { name, judge } = judgeFor(project, values.policy)
  const { user, system } = process.cpuUsage()
  const scores = scoreCorpus(corpus, judge)
  const spent = process.cpuUsage({ user, system })
  const calls = corpus.dangerous.length * 2 + corpus.reading.length
  const each = (spent.user + spent.system) / 1000 / calls
  if (values.misses) console.log(missesText(scores.misses))
  console.log(`\nscores: ${name}; ${calls} calls, ${each.toFixed(2)} ms of CPU each\n\n${reportText(scores)}`)
  const targets = targetsOf(scores)
  return { bench: 'scores', lines: [], targets, ok: targets.every(({ ok }) => ok) }
}

function judgeFor(project: string, file: string | undefined) {
  if (file !== undefined) {
    const path = resolve(project, file)
    return { name: file, judge: caseJudge(readFileSync(path, 'utf8'), dirname(path)) }
  }
  const { text, left } = builtInPacksPolicy(project)
  const without = left.length > 0 ? ` without ${left.join(', ')}, which stop everyday work in a new session` : ''
  return { name: `built-in packs${without}`, judge: caseJudge(text, project) }
}
