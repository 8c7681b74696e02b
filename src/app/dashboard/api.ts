/**
 * What the dashboard's pages and its server say to each other: types only, so that both can be read side by side.
 *
 * All of it is JSON over HTTP on loopback. Times are milliseconds since 1970, paths are absolute, `project` is the root folder of one.
 * Every text may come from an agent and hold anything: it is shown as text, never as HTML. Secrets were hidden when it was recorded.
 *
 *   POST /api/login                        Login → LoggedIn and a cookie (HttpOnly); everything else under /api wants both, see below
 *   GET  /api/situation?project            Situation
 *   GET  /api/overview?project&since&until Overview            since/until: `7d`, `12h`, `2026-11-01`, `2026-11-01T09:00`
 *   GET  /api/decisions?…DecisionQuery     DecisionPage
 *   GET  /api/decisions/:n                 DecisionDetail
 *   GET  /api/stream?…Filter               server-sent events: StreamEvents
 *   GET  /api/sessions?before&limit&project&client   SessionPage
 *   GET  /api/sessions/:client/:id?before&limit      SessionDetail   (both parts through encodeURIComponent)
 *   GET  /api/gates?project&since          GateList
 *   GET  /api/gates/:id?project&since      GateDetail          (id through encodeURIComponent: it holds a slash)
 *   GET  /api/workflows?project            WorkflowList
 *   GET  /api/policy?project               PolicyDetail
 *   GET  /api/proof?project                ProofState          asks for the proof, and is asked again while it runs
 *   POST /api/judge                        JudgeRequest → JudgeReply; nothing is stored
 *
 * A cookie of 127.0.0.1 is sent to every port of it, those of other users too: it is not enough. `LoggedIn.key` goes with every request as the
 * header `X-Signalbox-Key`, and with the stream (an EventSource sends no headers) as `?key=…`. The page keeps it in `localStorage`, which
 * is of this port alone, and takes the token out of the address bar at once. 401: not logged in (any more), say `signalbox ui` again.
 *
 * Pages are served from `dist/ui` (index.html for every path without a dot that is not under /api, and assets/*), so links can be deep.
 *
 * Everything that is not a success is a `Problem` with a status of 400 and up. Every POST is JSON and needs `Content-Type: application/json`.
 */
export type {
  CallResult,
  DecisionDetail,
  DecisionFilter,
  DecisionPage,
  DecisionQuery,
  DecisionRow,
  ExplainedDecision,
  StreamEvents,
} from './api/decision.ts'
export type {
  GateCard,
  GateDetail,
  GateList,
  GateRule,
  GateTransition,
  LiveGateState,
  NextGateMode,
} from './api/gate.ts'
export type { JudgeReply, JudgeRequest, PlaygroundVerdict } from './api/judge.ts'
export type { AgentStop, GateStatistics, Overview } from './api/overview.ts'
export type { PolicyDetail, PolicyFinding, PolicyGate, PolicyLayer, VerificationState } from './api/policy.ts'
export type {
  AgentLane,
  GateSpan,
  GateTimeline,
  SessionDetail,
  SessionEvent,
  SessionPage,
  SessionRow,
} from './api/session.ts'
export type {
  AgentSummary,
  ApiProblem,
  DashboardStatus,
  EmptyReason,
  LoginReply,
  LoginRequest,
  ProjectSummary,
} from './api/status.ts'
export type { WorkflowList, WorkflowRun, WorkflowStepRun } from './api/workflow.ts'
