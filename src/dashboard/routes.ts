import type { JudgeReply, JudgeRequest } from './api.ts'
import type { Archive } from './archive.ts'
import { decision, recordedAt } from './decision.ts'
import { decisions } from './decisions.ts'
import type { Desk } from './desk.ts'
import { gateDetail } from './gate.ts'
import { gateList } from './gates.ts'
import { judgeRequest } from './judge-request.ts'
import { gatesOf, overview } from './overview.ts'
import { policyDetail } from './policy.ts'
import { projectIn } from './projects.ts'
import type { Query } from './query.ts'
import { notFound, Refusal } from './refusal.ts'
import { sessions } from './sessions.ts'
import { situation } from './situation.ts'
import { timeline } from './timeline.ts'
import { workflows } from './workflows.ts'

export interface Asked {
  readonly method: string
  /** of the path after `/api/`, decoded */
  readonly parts: readonly string[]
  readonly query: Query
  readonly body: unknown
}

/** What is answered to whom was let in. Each is found by the number of parts of its path and the first of them. */
export class Routes {
  constructor(
    private readonly archive: Archive,
    private readonly desk: Desk,
  ) {}

  answer({ method, parts, query, body }: Asked): unknown {
    const [first = '', second = '', third = ''] = parts
    const name = `${method} ${first}/${parts.length}`
    const { archive, desk } = this
    const root = (): string => projectIn(query, archive, desk)
    switch (name) {
      case 'GET situation/1':
        return situation(archive, desk, root())
      case 'GET overview/1':
        return overview(archive, desk, root(), query)
      case 'GET decisions/1':
        return decisions(archive, query)
      case 'GET decisions/2':
        return decision(archive, desk, numberIn(second))
      case 'GET sessions/1':
        return sessions(archive, query)
      case 'GET sessions/3':
        return timeline(archive, root => gatesOf(desk, root).gates, { client: second, session: third }, query)
      case 'GET gates/1':
        return gateList(archive, desk, root(), query)
      case 'GET gates/2':
        return gateDetail(archive, desk, root(), second, query)
      case 'GET workflows/1':
        return workflows(archive, desk, root())
      case 'GET policy/1':
        return policyDetail(desk, root())
      case 'GET proof/1':
        return desk.proof(root(), { begins: true })
      case 'POST judge/1':
        return this.#judge(judgeRequest(body), root())
      default:
        throw NAMES.has(first) ? new Refusal(405, 'not in this way') : notFound('there is no such thing here')
    }
  }

  #judge(request: JudgeRequest, here: string): unknown {
    const recorded = request.record === undefined ? undefined : recordedAt(this.archive, this.desk, request.record)
    const root = request.project ?? recorded?.root ?? here
    const reply = this.desk.judge(request, root, recorded)
    if (typeof reply === 'string') throw new Refusal(400, reply)
    return { project: root, ...reply } satisfies JudgeReply
  }
}

const NAMES = new Set([
  'situation',
  'overview',
  'decisions',
  'sessions',
  'gates',
  'workflows',
  'policy',
  'proof',
  'judge',
])

function numberIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, 'a decision has a number')
  return Number(text)
}
