import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { randomHex } from '../../../../hook/index.ts'
import { redact } from '../../../../store/index.ts'
import {
  addWorktree,
  hasNoCommits,
  readWorkingTree,
  type TaskPlan,
  worktreeNameFor,
} from '../../../orchestrate/index.ts'
import type { ExitCode } from '../../command.ts'
import { listenForStop } from '../../terminal/stop-signals.ts'
import { type OrchestrateContext, printPlan, recordReport, runPlannedTask } from './run-task.ts'

/** Runs each task in its own worktree. A worktree without results is removed. */
export async function runParallelTasks(plans: readonly TaskPlan[], context: OrchestrateContext): Promise<ExitCode> {
  assertHasCommit(context)
  const stopping = listenForStop()
  try {
    const each: Promise<boolean>[] = []
    for (const plan of plans) {
      if (stopping.signal.aborted) break
      each.push(runInWorktree(plan, context, stopping.signal).catch(error => reportFailure(error, context)))
      // creating a worktree blocks; this lets pending signals arrive before the next
      await new Promise(done => setImmediate(done))
    }
    const done = await Promise.all(each)
    return done.length === plans.length && done.every(Boolean) ? 0 : 1
  } finally {
    await stopping.end()
  }
}

/** Worktrees start from the last commit, so uncommitted changes are missing there. */
function assertHasCommit({ project: { root, policy }, terminal: { err } }: OrchestrateContext): void {
  const look = readWorkingTree(root)
  if (!look) throw new Error('`--parallel` needs a git repository, and this folder is not in one')
  if (hasNoCommits(look))
    throw new Error('`--parallel` starts from the last commit, and there is none yet; commit first')
  const own = policy.layers.map(({ file }) => relative(root, file)).find(file => look.files.has(file))
  if (own !== undefined)
    throw new Error(`\`${own}\` has uncommitted changes, and tasks in worktrees would not see them; commit it first`)
  if (look.files.size > 0) err('The worktrees do not contain your uncommitted changes.\n')
  if (existsSync(join(root, '.gitmodules')))
    err('Submodules are empty in the worktrees until you run `git submodule update --init` there.\n')
}

async function runInWorktree(plan: TaskPlan, context: OrchestrateContext, stop: AbortSignal): Promise<boolean> {
  const { root } = context.project
  if (context.json) printPlan(plan, context, context.terminal.out)
  const name = worktreeNameFor(plan.task, randomHex(2))
  const worktree = addWorktree(root, name)
  const { folder } = worktree
  const report = await runPlannedTask(plan, context, { root: folder, stop, label: `${name}: ` })
  const branch = redact(worktree.branch())
  const stays = report.files.length > 0 ? '' : worktree.removeIfEmpty()
  if (stays) context.terminal.err(`${name}: ${folder} was kept: ${stays}\n`)
  recordReport(
    stays === undefined ? { ...report, root } : { ...report, worktree: { folder, branch, of: root } },
    context,
    name,
  )
  return report.outcome === 'done'
}

function reportFailure(error: unknown, { terminal: { err } }: OrchestrateContext): false {
  err(`signalbox orchestrate: ${error instanceof Error ? error.message : error}\n`)
  return false
}
