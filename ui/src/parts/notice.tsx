import type { Situation } from '../../../src/dashboard/api.ts'
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
    says: 'An address lets in one browser, once, and the key that it brings is good until the dashboard ends. Say this in a terminal, and open the address that it prints; this page goes on by itself then:',
    command: 'signalbox ui',
  },
}

const HELD: Said = {
  title: 'Another program holds the database.',
  says: 'Nothing is lost, and this page goes on by itself when it lets go. Meanwhile a call of an agent that needs the database is answered as your policy says for failures. If it lasts:',
  command: 'signalbox doctor',
}

const damaged = (problem: string): Said => ({
  title: 'What was recorded cannot be read.',
  says: `It says: ${problem}. Agents are judged all the same, and pages about the policy work. What is lost, and what to do:`,
  command: 'signalbox doctor',
})

function wrongWith({ problem, isLocked }: Partial<Situation['trail']> = {}): Said | undefined {
  if (problem === undefined) return undefined
  return isLocked ? HELD : damaged(problem)
}

/** What holds for every page: whether anybody answers, and whether there is anything to read. */
export function Notice() {
  const line = useLine()
  const trail = useSituation().data?.trail
  const said = line === 'here' ? wrongWith(trail) : CUT[line]
  if (!said) return null
  return (
    <div className="notice" role="alert">
      <strong>{said.title}</strong>
      <span>{said.says}</span>
      <Command line={said.command} />
    </div>
  )
}
