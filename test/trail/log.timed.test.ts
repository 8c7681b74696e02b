import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Stage } from '../support/in-process-command.ts'
import { BIN } from '../support/sandbox.ts'
import { denied, write } from '../support/store/audit-records.ts'
import { at, PAST } from './log-records.ts'

let stage: Stage
beforeEach(() => {
  stage = new Stage()
})
afterEach(() => stage.end())

const state = () => join(stage.home, '.local/state/signalbox')

function past(): void {
  mkdirSync(state(), { recursive: true })
  write(state(), PAST)
}

it('keeps its columns where lines are whole, and has colours there if asked', async () => {
  past()
  write(state(), [
    { ...at(9), ...denied('a-gate-with-quite-a-long-name'), client: 'claude-code', session: 's', acts: ['run x'] },
  ])
  const env = { PATH: process.env.PATH ?? '', HOME: stage.home }
  const said = (more: object) =>
    spawnSync(process.execPath, [BIN, 'log'], { env: { ...env, ...more }, cwd: stage.project, encoding: 'utf8' }).stdout
  const lines = said({})
    .trim()
    .split('\n')
    .filter(line => line.includes(' '))
  // after the longest name of a gate, which has 29 characters from column 30 on
  expect(lines.filter(line => !/^ \S/.test(line.slice(59)))).toEqual([])
  expect(lines.length).toBe(8)
  expect(said({})).not.toContain('\u001b')
  expect(said({ FORCE_COLOR: '1' })).toContain('\u001b[31mDENY')
  expect(said({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain('\u001b')
})

describe('signalbox log --follow', () => {
  it('sees what any process writes soon, also from nothing on; Ctrl-C is no failure', async () => {
    const env = { PATH: process.env.PATH ?? '', HOME: stage.home, NO_COLOR: '1' }
    const child = spawn(process.execPath, [BIN, 'log', '--follow', '--json'], { env, cwd: stage.project })
    let said = ''
    const heard: number[] = []
    child.stdout.on('data', chunk => {
      said += chunk
      heard.push(performance.now())
    })
    const until = async (is: () => boolean) => {
      for (let left = 400; !is() && left > 0; left--) await new Promise(done => setTimeout(done, 10))
    }
    try {
      await new Promise(done => setTimeout(done, 400))
      mkdirSync(state(), { recursive: true })
      write(state(), [at(0)])
      await until(() => said.includes('"seq":1'))
      // other files of the folder are nothing to it
      appendFileSync(join(state(), 'other'), 'x')
      await new Promise(done => setTimeout(done, 300))
      const late: number[] = []
      for (let seq = 2; seq <= 4; seq++) {
        write(state(), [at(seq)])
        const wrote = performance.now()
        await until(() => said.includes(`"seq":${seq}`))
        late.push((heard.at(-1) ?? Infinity) - wrote)
      }
      expect(
        said
          .trim()
          .split('\n')
          .map(line => JSON.parse(line).seq),
      ).toEqual([1, 2, 3, 4])
      expect(Math.min(...late)).toBeLessThan(200)
      child.kill('SIGINT')
      expect(await new Promise(done => child.on('exit', done))).toBe(0)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('ends quietly when its reader has', async () => {
    past()
    const env = { PATH: process.env.PATH ?? '', HOME: stage.home }
    const child = spawn('sh', ['-c', `"${process.execPath}" "${BIN}" log --follow --all | head -1`], {
      env,
      cwd: stage.project,
    })
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
    })
    const more = setInterval(() => write(state(), [at(20)]), 200)
    const code = await new Promise(done => child.on('exit', done))
    clearInterval(more)
    expect([code, said]).toEqual([0, ''])
  })
})
