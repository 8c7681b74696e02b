import { type Line, useLine } from '../api/line.ts'
import { Command } from './command.tsx'
import { useSituation } from './situation.tsx'

interface Said {
  readonly title: string
  readonly says: string
  readonly command: string
}

const CUT: Readonly<Record<Exclude<Line, 'here'>, Said>> = {
  gone: {
    title: 'The daemon does not answer.',
    says: 'What you see is the last it said. Agents are judged all the same: each hook works without it. This page goes on by itself when it is back:',
    command: 'signalbox ui',
  },
  locked: {
    title: 'This browser has no key.',
    says: 'A key is good for one browser, until the dashboard ends: it was begun anew, or you were never let in. Say this in a terminal, and open the address that it prints; this page goes on by itself then:',
    command: 'signalbox ui',
  },
}

const damaged = (problem: string): Said => ({
  title: 'What was recorded cannot be read.',
  says: `It says: ${problem}. Agents are judged all the same, and pages about the policy work. What is lost, and what to do:`,
  command: 'signalbox doctor',
})

/** What holds for every page: whether anybody answers, and whether there is anything to read. */
export function Notice() {
  const line = useLine()
  const problem = useSituation().data?.trail.problem
  const said = line === 'here' ? problem !== undefined && damaged(problem) : CUT[line]
  if (!said) return null
  return (
    <div className="notice" role="alert">
      <strong>{said.title}</strong>
      <span>{said.says}</span>
      <Command line={said.command} />
    </div>
  )
}
