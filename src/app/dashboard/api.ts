/**
 * The API between the dashboard's pages and its server. Types only, shared by both sides.
 *
 * JSON over HTTP on loopback. Times are milliseconds since 1970, paths are absolute, `project` is a project's root folder.
 * Any text may come from an agent and contain anything: show it as text, never as HTML. Secrets were redacted when it was recorded.
 *
 *   POST /api/login                        LoginRequest → LoginReply and an HttpOnly cookie; all other routes need both, see below
 *   GET  /api/situation?project            DashboardStatus
 *   GET  /api/overview?project&since&until Overview            since/until: `7d`, `12h`, `2026-11-01`, `2026-11-01T09:00`
 *   GET  /api/decisions?…DecisionQuery     DecisionPage
 *   GET  /api/decisions/:n                 DecisionDetail
 *   GET  /api/stream?…DecisionFilter       server-sent events: StreamEvents
 *   GET  /api/sessions?before&limit&project&client   SessionPage
 *   GET  /api/sessions/:client/:id?before&limit      SessionDetail   (both parts encoded with encodeURIComponent)
 *   GET  /api/gates?project&since          GateList
 *   GET  /api/gates/:id?project&since      GateDetail          (id encoded with encodeURIComponent: it contains a slash)
 *   GET  /api/workflows?project            WorkflowList
 *   GET  /api/policy?project               PolicyDetail
 *   GET  /api/proof?project                VerificationState   starts the proof; ask again while it runs
 *   POST /api/judge                        JudgeRequest → JudgeReply; nothing is stored
 *
 * Browsers send a cookie of 127.0.0.1 to every port, also to ports of other users, so a cookie is not enough. Send `LoginReply.key` with
 * every request as the header `X-Signalbox-Key`; for the stream (an EventSource sends no headers) as `?key=…`. The page keeps it in
 * `localStorage`, which belongs to this port only, and removes the token from the address at once. 401: run `signalbox ui` again.
 *
 * Pages are served from `dist/ui` (assets/*, and index.html for every path without a dot outside of /api), so deep links work.
 *
 * Every error is an `ApiProblem` with a status of 400 or more. Every POST is JSON and needs `Content-Type: application/json`.
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
  GateStateLines,
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
