import { afterEach, beforeEach, expect, it } from 'vitest'
import { readWorkflowRuns, type StoredRun, type StoredStep } from '../../src/store/index.ts'
import { AT, count, Ground, KEY, NOW } from '../support/store/records.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

const STEP: StoredStep = {
  ...{ id: 'a', digest: 'd', state: 'done', round: 1, began: NOW, before: { 'a.md': null }, files: ['a.md'] },
  artifacts: [{ path: 'a.md', sha256: 'x', bytes: 1 }],
}
const RUN: StoredRun = {
  ...{ id: '12345678', workflow: 'w', root: '/proj', request: 'r', state: 'running', at: NOW, changed: NOW },
  ...{ pid: 1, born: 'b', plan: ['a', 'b'], steps: [STEP] },
}

it('a run is there for the next process as it was last saved', () => {
  expect(readWorkflowRuns(ground.state)).toEqual([])
  ground.store().saveRun(RUN)
  const later = { ...RUN, state: 'done', steps: [STEP, { ...STEP, id: 'b' }] } as const
  ground.store().saveRun(later)
  ground.store().saveRun({ ...RUN, id: '00000000', root: '/other', at: NOW + 1 })
  expect(readWorkflowRuns(ground.state, { root: '/proj' })).toEqual([later])
  expect(readWorkflowRuns(ground.state).map(one => one.id)).toEqual(['12345678', '00000000'])
  ground.store().saveRun({ ...later, steps: [STEP] })
  expect(readWorkflowRuns(ground.state, { root: '/proj' })[0]?.steps).toEqual([STEP])
})

it('a state of before there were workflows has none, gets the tables, and keeps what it had', () => {
  const store = ground.store()
  store.transact(KEY, AT, ({ session }) => count(session))
  store.close()
  ground.database().exec('DROP TABLE workflow_runs; DROP TABLE workflow_steps; PRAGMA user_version = 1')
  expect(readWorkflowRuns(ground.state)).toEqual([])
  ground.store().saveRun(RUN)
  expect(readWorkflowRuns(ground.state)).toEqual([RUN])
  expect(ground.store().transact(KEY, AT, ({ session }) => count(session))).toBe(2)
})

it('one that is damaged is none, and others are read', () => {
  ground.store().saveRun(RUN)
  ground.store().saveRun({ ...RUN, id: '00000000' })
  ground.database().exec("UPDATE workflow_steps SET json = '{' WHERE run = '00000000'")
  expect(readWorkflowRuns(ground.state)).toEqual([RUN])
})

it('those that nothing has happened to for as long as the trail reaches are taken away', () => {
  const store = ground.store({ limits: { days: 1, bytes: 1 << 30 } })
  store.saveRun({ ...RUN, changed: NOW - 2 * 86_400_000 })
  store.saveRun({ ...RUN, id: '00000000' })
  for (let nth = 0; nth < 70; nth++) store.transact(KEY, AT, ({ session }) => count(session))
  expect(readWorkflowRuns(ground.state).map(one => one.id)).toEqual(['00000000'])
  expect(ground.database().prepare('SELECT count(*) AS n FROM workflow_steps').get()?.n).toBe(1)
})
