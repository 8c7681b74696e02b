import type { Cone } from './cone.ts'
import type { Finding } from './finding.ts'
import type { Node } from './graph.ts'
import type { Explored } from './inquiry.ts'
import type { Move } from './world.ts'

/** Something to be shown of an exploration: where it fails, and the words for it. */
export interface Claim {
  /** has it been shown without looking, by what is known by now? */
  isKnown?(): boolean
  /** told where it was seen to hold, among these gates */
  holds?(cone: Cone): void
  fails(explored: Explored): Node | undefined
  tell(moves: readonly Move[], at: Move['to']): Finding | undefined
}

export interface Task {
  readonly cone: Cone
  readonly claims: readonly Claim[]
  /** nothing it says can lead astray, so that without a claim there is only to be heard who speaks */
  readonly isPlain: boolean
  /** what it was merged from */
  readonly parts: readonly Task[]
}

/** What is about some of the gates that are looked at anyway is looked at together with them. */
export function mergeTasks(tasks: readonly Task[]): readonly Task[] {
  const merged: Task[] = []
  for (const task of [...tasks].sort((a, b) => b.cone.gates.size - a.cone.gates.size)) {
    const at = merged.findIndex(
      ({ cone }) => cone.prompted === task.cone.prompted && [...task.cone.gates].every(gate => cone.gates.has(gate)),
    )
    const host = merged[at]
    if (!host) merged.push(task)
    else {
      const deeds = new Map([...host.cone.deeds, ...task.cone.deeds])
      const cone = { ...host.cone, deeds }
      const isPlain = host.isPlain && task.isPlain
      merged[at] = { cone, isPlain, claims: [...host.claims, ...task.claims], parts: [...host.parts, task] }
    }
  }
  return merged
}
