import type { JudgeReply, JudgeRequest } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
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
import { HttpError } from './http-error.ts'
import { parseJudgeRequest } from './judge-request.ts'
import type { QueryParameters } from './query.ts'
import { readJsonBody } from './request-body.ts'
import { type DashboardApp, type DashboardContext, queryOf, sendJson } from './request-context.ts'

export interface ApiParts {
  readonly archive: DashboardRecords
  readonly backend: DashboardBackend
}

/** The API for logged-in pages. */
export function addApiRoutes(app: DashboardApp, { archive, backend }: ApiParts): void {
  const root = (query: QueryParameters): string => chooseProject(query, archive, backend)
  const get = (path: string, answer: (query: QueryParameters, param: (name: string) => string) => unknown): void => {
    app.get(`/api/${path}`, context =>
      sendJson(
        context,
        answer(queryOf(context), name => context.req.param(name) ?? ''),
      ),
    )
    app.all(`/api/${path}`, refuseMethod)
  }
  get('situation', query => buildDashboardStatus(archive, backend, root(query)))
  get('overview', query => buildOverview(archive, backend, root(query), query))
  get('decisions', query => listDecisions(archive, query))
  get('decisions/:n', (_, param) => decisionDetail(archive, backend, parseDecisionNumber(param('n'))))
  get('sessions', query => listSessions(archive, query))
  get('sessions/:client/:session', (query, param) => {
    const key = { client: param('client'), session: param('session') }
    return sessionTimeline(archive, folder => policyGatesOf(backend, folder).gates, key, query)
  })
  get('gates', query => gateList(archive, backend, root(query), query))
  get('gates/:id', (query, param) => gateDetail(archive, backend, root(query), param('id'), query))
  get('workflows', query => listWorkflows(archive, backend, root(query)))
  get('policy', query => policyDetail(backend, root(query)))
  get('proof', query => backend.proof(root(query), { begins: true }))
  app.post('/api/judge', async context => {
    const request = parseJudgeRequest(await readJsonBody(context.env.incoming))
    return sendJson(context, judge(request, root(queryOf(context)), { archive, backend }))
  })
  app.all('/api/judge', refuseMethod)
}

const refuseMethod = (_: DashboardContext): never => {
  throw new HttpError(405, 'method not allowed')
}

function judge(request: JudgeRequest, here: string, { archive, backend }: ApiParts): JudgeReply {
  const recorded = request.record === undefined ? undefined : recordedDecisionAt(archive, backend, request.record)
  const root = request.project ?? recorded?.root ?? here
  const reply = backend.judge(request, root, recorded)
  if (typeof reply === 'string') throw new HttpError(400, reply)
  return { project: root, ...reply }
}

function parseDecisionNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HttpError(400, 'the decision id must be a number')
  return Number(text)
}
