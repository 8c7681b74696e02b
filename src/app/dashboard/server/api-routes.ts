import type { JudgeReply, JudgeRequest } from '../api.ts'
import type { RecordArchive } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'
import { decisionDetail, recordedDecisionAt } from '../pages/decision.ts'
import { listDecisions } from '../pages/decisions.ts'
import { gateDetail } from '../pages/gate.ts'
import { gateList } from '../pages/gates.ts'
import { buildOverview, policyGatesOf } from '../pages/overview.ts'
import { policyDetail } from '../pages/policy.ts'
import { chooseProject } from '../pages/projects.ts'
import { listSessions } from '../pages/sessions.ts'
import { buildDashboardStatus } from '../pages/status.ts'
import { sessionTimeline } from '../pages/timeline.ts'
import { listWorkflows } from '../pages/workflows.ts'
import { HttpError, notFoundError } from './http-error.ts'
import { parseJudgeRequest } from './judge-request.ts'
import type { QueryParameters } from './query.ts'

export interface ApiRequest {
  readonly method: string
  /** parts of the path after `/api/`, decoded */
  readonly parts: readonly string[]
  readonly query: QueryParameters
  readonly body: unknown
}

/** The API for logged-in pages. A route is chosen by the number of path parts and the first part. */
export class ApiRoutes {
  constructor(
    private readonly archive: RecordArchive,
    private readonly desk: DashboardBackend,
  ) {}

  answer({ method, parts, query, body }: ApiRequest): unknown {
    const [first = '', second = '', third = ''] = parts
    const name = `${method} ${first}/${parts.length}`
    const { archive, desk } = this
    const root = (): string => chooseProject(query, archive, desk)
    switch (name) {
      case 'GET situation/1':
        return buildDashboardStatus(archive, desk, root())
      case 'GET overview/1':
        return buildOverview(archive, desk, root(), query)
      case 'GET decisions/1':
        return listDecisions(archive, query)
      case 'GET decisions/2':
        return decisionDetail(archive, desk, parseDecisionNumber(second))
      case 'GET sessions/1':
        return listSessions(archive, query)
      case 'GET sessions/3':
        return sessionTimeline(
          archive,
          root => policyGatesOf(desk, root).gates,
          { client: second, session: third },
          query,
        )
      case 'GET gates/1':
        return gateList(archive, desk, root(), query)
      case 'GET gates/2':
        return gateDetail(archive, desk, root(), second, query)
      case 'GET workflows/1':
        return listWorkflows(archive, desk, root())
      case 'GET policy/1':
        return policyDetail(desk, root())
      case 'GET proof/1':
        return desk.proof(root(), { begins: true })
      case 'POST judge/1':
        return this.#judge(parseJudgeRequest(body), root())
      default:
        throw ROUTE_NAMES.has(first) ? new HttpError(405, 'method not allowed') : notFoundError('no such API route')
    }
  }

  #judge(request: JudgeRequest, here: string): unknown {
    const recorded =
      request.record === undefined ? undefined : recordedDecisionAt(this.archive, this.desk, request.record)
    const root = request.project ?? recorded?.root ?? here
    const reply = this.desk.judge(request, root, recorded)
    if (typeof reply === 'string') throw new HttpError(400, reply)
    return { project: root, ...reply } satisfies JudgeReply
  }
}

const ROUTE_NAMES = new Set([
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

function parseDecisionNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HttpError(400, 'the decision id must be a number')
  return Number(text)
}
