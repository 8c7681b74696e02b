import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openProject } from '../../src/app/cli/project.ts'
import type { WorkflowList } from '../../src/app/dashboard/api.ts'
import { setTrust, trustRequestsOf } from '../../src/policy/index.ts'
import { saveWorkflows } from '../ui/story/workflow.ts'
import { withDashboard } from './open-dashboard.ts'

const POLICY = 'workflows: { w: { about: Builds it., steps: [{ id: a, prompt: x }, { person: Fine? }] } }\n'

it('the page of workflows is told of runs with their steps, and of what could run', { timeout: 60_000 }, () =>
  withDashboard(async ({ visitor, sandbox }) => {
    const { home, project } = sandbox
    const list = () => visitor.get<WorkflowList>(`/api/workflows?project=${encodeURIComponent(project)}`)
    expect(await list()).toEqual({ project, runs: [], defined: [] })
    const { policy, folders } = openProject({ env: { HOME: home, SIGNALBOX_HOME: home }, cwd: project })
    for (const { file, hash } of trustRequestsOf(policy.layers)) setTrust(folders.state, file, hash)
    saveWorkflows(join(home, 'state'), project)
    // one look at the policy is good for a moment
    await new Promise(done => setTimeout(done, 1100))
    const { runs, defined } = await list()
    expect(defined).toEqual([{ name: 'w', about: 'Builds it.', steps: 2 }])
    expect(runs.map(one => [one.id, one.state, one.why])).toEqual([
      ['3f2a9c01', 'waiting', 'person: a person must answer: Are the requirements right?'],
      ['7c01de42', 'done', undefined],
    ])
    expect(runs[0]?.steps.map(one => [one.id, one.state, one.artifacts.map(file => file.path).join()])).toEqual([
      ['brief', 'done', 'docs/bmad/brief.md'],
      ['requirements', 'done', 'docs/bmad/requirements.md'],
      ['person', 'waiting', ''],
      ['build', 'to do', ''],
      ['verify', 'to do', ''],
    ])
  }, POLICY),
)
