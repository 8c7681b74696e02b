import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { stopDaemon } from '../../../hook/daemon/index.ts'
import { foldersOf } from '../../../hook/index.ts'
import type { FakeLlm } from '../../../testing/fake-llm/index.ts'
import { type DoctorContext, type InstalledAgent, initCommandFor, ownHooksOf } from '../context.ts'
import type { DoctorFinding } from '../finding.ts'
import { setUpAgentSandbox } from './agent-sandbox.ts'
import type { LiveProof } from './live-proof.ts'
import { type ProcessResult, runToEnd } from './process.ts'
import { ScratchProject } from './scratch-project.ts'

const AGENT_TIMEOUT_MS = 120_000

/** Agents that can be tested: installed, with a headless run, and with our hook. */
export const agentsForLiveRun = ({ agents }: DoctorContext): readonly InstalledAgent[] =>
  agents.filter(agent => agent.program !== undefined && agent.checkup.headlessRun && ownHooksOf(agent).length > 0)

/** Runs the real agent headless against a local fake model that requests one call, and checks whether the call is made. */
export async function runAgentLive(agent: InstalledAgent, context: DoctorContext): Promise<LiveProof> {
  const { client, program = '', checkup } = agent
  const { headlessRun } = checkup
  const version = context.versionOf(program)
  const proof = { kind: 'agent' as const, client: client.id, title: client.title, version }
  if (ownHooksOf(agent).every(({ plugin }) => plugin))
    return {
      ...proof,
      ms: 0,
      verdict: 'unverified',
      why: 'a plugin registers the hook, and only the plugin’s command was tested',
    }
  if (!headlessRun)
    return {
      ...proof,
      ms: 0,
      verdict: 'unverified',
      why: checkup.noHeadlessRunReason ?? 'the agent cannot be run here',
    }
  const scratch = new ScratchProject()
  // imported lazily: a server and four protocols that only this test needs
  const {
    scriptMarkOf: markOf,
    FakeLlm: ScriptedModel,
    messageAfterTurn,
  } = await import('../../../testing/fake-llm/index.ts')
  const model = await ScriptedModel.start(({ turn }) =>
    turn === 0 ? headlessRun.call(scratch.command) : { text: 'Done.' },
  )
  try {
    const launch = setUpAgentSandbox(
      agent,
      context,
      scratch,
      headlessRun,
      model.url,
      `Play your part. ${markOf('main')}`,
    )
    spawnSync('git', ['init', '-q', scratch.project], { stdio: 'ignore' })
    const ended = await runToEnd({
      ...{ command: program, args: launch.args, cwd: scratch.project, timeoutMs: AGENT_TIMEOUT_MS },
      env: { ...minimalEnvironment(context, scratch), ...launch.env },
    })
    const requests = model.requests
      .map(request => messageAfterTurn(request, 0))
      .map(({ results, text }) => `${results}\n${text}`)
    const gotDenial = requests.some(text => text.includes(scratch.reason))
    if (scratch.wasRun) {
      const why = settingsComplaintIn(ended)
      const finding = notEnforcedFinding(agent, version, why)
      return { ...proof, ms: ended.ms, verdict: 'not-denied', finding, ...(why && { why }) }
    }
    if (gotDenial) return { ...proof, ms: ended.ms, verdict: 'denied' }
    return { ...proof, ms: ended.ms, verdict: 'unverified', why: describeFailedRun(ended, model) }
  } finally {
    await model.stop()
    // its hooks may have started a daemon
    await stopDaemon(foldersOf({ HOME: scratch.home }).state)
    scratch.remove()
  }
}

/** Only the PATH and the shell come from the user's environment; network access fails through a dead proxy. */
function minimalEnvironment({ env }: DoctorContext, { home, folder }: ScratchProject): NodeJS.ProcessEnv {
  return {
    PATH: env.PATH,
    HOME: home,
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    ...(env.SHELL !== undefined && { SHELL: env.SHELL }),
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  }
}

function notEnforcedFinding(agent: InstalledAgent, version = '', output = ''): DoctorFinding {
  const { client } = agent
  const [first] = ownHooksOf(agent)
  return {
    ...{ id: 'LIVE-NOT-ENFORCED', severity: 'problem', client: client.id },
    ...(first && { file: first.file, line: first.line }),
    effect: `${client.title} runs calls that Signalbox denies`,
    found: `${client.title} ${version} made the test call although the hook denied it${output && `; its output: ${output}`}`,
    fix: initCommandFor(agent, first?.scope),
  }
}

/** What the agent prints about its settings; the last such line names the place. */
function settingsComplaintIn({ stdout, stderr }: ProcessResult): string {
  const lines = `${stdout}\n${stderr}`.split('\n').map(line => line.trim())
  const relevant = lines.filter(line => /\.json\b|\bhooks?\b.*\b(?:invalid|ignored|skipped|failed)/i.test(line))
  const last = relevant
    .at(-1)
    ?.replace(/\S*\/home\/(?=\.)/g, '~/')
    .slice(0, 240)
  return last ?? ''
}

function describeFailedRun(
  { timedOut, startError, exitCode, stderr, stdout }: ProcessResult,
  { requests }: FakeLlm,
): string {
  if (startError !== undefined) return startError
  const last = `${stdout}\n${stderr}`.trim().split('\n').at(-1)?.slice(0, 120) ?? ''
  if (timedOut) return `it did not finish within ${AGENT_TIMEOUT_MS / 1000} s; last output: ${last}`
  if (requests.length === 0) return `it never called the model (exit code ${exitCode}): ${last}`
  return `the test call was neither made nor denied (exit code ${exitCode}): ${last}`
}
