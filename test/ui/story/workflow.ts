import { type StoredRun, type StoredStep, WorkflowStore } from '../../../src/store/index.ts'

const MINUTE = 60_000
const SHA = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'

const step = (id: string, more: Partial<StoredStep> = {}): StoredStep => ({
  ...{ id, digest: 'd', state: 'done', round: 1, began: 0, ended: 4 * MINUTE, before: {}, artifacts: [], files: [] },
  ...more,
})

const left = (...paths: readonly string[]): Pick<StoredStep, 'artifacts' | 'files' | 'backend'> => ({
  artifacts: paths.map(path => ({ path, sha256: SHA, bytes: 1840 })),
  ...{ files: [...paths], backend: 'claude' },
})

/** Two runs of a workflow, as `signalbox orchestrate` keeps them: one waits for a person, one is done. */
export function saveWorkflows(state: string, root: string): void {
  const now = Date.now()
  const plan = ['brief', 'requirements', 'person', 'build', 'verify']
  const base = { workflow: 'bmad', root, pid: 1, born: 'gone', plan }
  const runs: readonly StoredRun[] = [
    {
      ...{
        ...base,
        id: '7c01de42',
        request: 'export orders as CSV',
        state: 'done',
        at: now - 90 * MINUTE,
        changed: now,
      },
      steps: [
        step('brief', left('docs/bmad/brief.md')),
        step('requirements', left('docs/bmad/requirements.md')),
        step('person', { ended: MINUTE }),
        step('build', {
          round: 2,
          ended: 19 * MINUTE,
          backend: 'codex',
          files: ['src/export.ts', 'test/export.test.ts'],
        }),
        step('verify', left('docs/bmad/verification.md')),
      ],
    },
    {
      ...{
        ...base,
        id: '3f2a9c01',
        request: 'add a login page',
        state: 'waiting',
        at: now - 12 * MINUTE,
        changed: now,
      },
      why: 'person: a person must answer: Are the requirements right?',
      steps: [
        step('brief', left('docs/bmad/brief.md')),
        step('requirements', left('docs/bmad/requirements.md')),
        step('person', { state: 'waiting' }),
      ],
    },
  ]
  const store = new WorkflowStore(state)
  try {
    for (const run of runs) store.saveRun(run)
  } finally {
    store.close()
  }
}
