import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../../lib/errors.ts'
import { readWorkflowFiles } from '../../../../policy/find/workflow-files.ts'
import { formatErrorLine } from '../../../../policy/index.ts'
import {
  NO_WORKFLOW,
  type RoutingContext,
  type RoutingDecision,
  routeRequest,
} from '../../../orchestrate/router/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { openProject } from '../../project.ts'
import { readRequestFromStdin } from '../../terminal/read-stdin.ts'

const WORKFLOWS_FOLDER = '.claude/workflows'
const AGENT_FOLDERS = ['.claude/agents', '.gemini/agents']

export const routeCommand: Command = {
  name: 'route',
  summary: 'Classify a request: intent, complexity, workflow, confidence. Uses tables, not a model.',
  usage: '[--json] [--record] "<request>" | -',
  example: 'signalbox route "the login page crashes on Safari, fix it and add a test"',
  options: {
    json: { type: 'boolean', about: 'print the decision as JSON, as a router agent returns it' },
    record: {
      type: 'boolean',
      about: 'the same; when an agent runs it, the hook opens the gate that waits for routing',
    },
  },
  positionals: true,
  forPrograms: ({ record }) => record === true,
  async run({ values, positionals, terminal }) {
    const request =
      positionals.length === 1 && positionals[0] === '-' ? await readRequestFromStdin(terminal) : positionals.join(' ')
    if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(request)) return failEmptyRequest(terminal)
    const decision = routeRequest(request, routingContextOf(terminal))
    if (values.json || values.record) terminal.out(`${JSON.stringify(decision, null, 2)}\n`)
    else terminal.out(formatDecision(decision))
    if (values.record && terminal.canAsk)
      terminal.err('Nothing was recorded: the gate opens only when an agent runs this command.\n')
    return 0
  },
}

function failEmptyRequest({ err }: Terminal): ExitCode {
  err('signalbox route: the request is empty; write it after the command, or `-` to read it from stdin\n')
  return 2
}

/** The project's workflows and routing settings. Routing works without them, so an error is only one line on stderr. */
function routingContextOf(terminal: Terminal): RoutingContext {
  try {
    const { root, policy, label } = openProject(terminal, { stores: false })
    const { workflows, problems } = readWorkflowFiles(root, WORKFLOWS_FOLDER)
    for (const problem of problems) terminal.err(`signalbox route: ${formatErrorLine(problem, label)}\n`)
    const { workflows: chosen = {}, leader } = policy.program.routing ?? {}
    return {
      workflows: workflows.map(workflow => ({ ...workflow, path: `@${workflow.path}` })),
      chosen,
      leader: leader ?? findLeaderAgent(root),
    }
  } catch (error) {
    terminal.err(`signalbox route: the policy cannot be loaded (${messageOf(error)}): classified without it\n`)
    return { workflows: [], chosen: {}, leader: null }
  }
}

/** Finds a leader agent that exists in the project. A missing agent could never start. */
function findLeaderAgent(root: string): string | null {
  const found = AGENT_FOLDERS.flatMap(folder => {
    try {
      return readdirSync(join(root, folder))
    } catch {
      return []
    }
  })
    .flatMap(file => /^([\w-]*orchestrator[\w-]*)\.md$/i.exec(file)?.[1] ?? [])
    .sort((a, b) => Number(b.startsWith('master')) - Number(a.startsWith('master')) || (a < b ? -1 : 1))
  return found[0] ?? null
}

const percent = (confidence: number): string => `${Math.round(confidence * 100)} % sure`

function formatDecision(decision: RoutingDecision): string {
  const { intent, complexity, confidence, reasoning, also, cloud_provider, workflow_selection } = decision
  const rows = [
    ['why', reasoning],
    ['also', also.join(', ')],
    ['cloud', cloud_provider ?? ''],
    ['workflow', workflow_selection === NO_WORKFLOW ? '' : workflow_selection],
    ['escalate', escalationText(decision)],
  ].filter(([, text]) => text !== '')
  return [
    `${intent}  ${complexity}, ${percent(confidence)}`,
    ...rows.map(([name = '', text = '']) => `  ${name.padEnd(9)} ${text}`),
    'Next  --json for programs; an agent opens its gate with --record',
    '',
  ].join('\n')
}

function escalationText({ should_escalate, escalation_target, complexity }: RoutingDecision): string {
  if (!should_escalate) return ''
  const why = complexity === 'high' ? 'it has several parts' : 'the request says too little'
  return escalation_target === null ? `${why}; no agent here coordinates such work` : `${escalation_target}: ${why}`
}
