import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ResidentPlace } from './resident-place.ts'

const deny = (command: string) =>
  `gates: { no: { rules: [{ when: { event: tool.before, command: ${command} }, then: deny, message: Not now. }] } }`

async function withPlace(work: (place: ResidentPlace) => Promise<void>): Promise<void> {
  const place = new ResidentPlace()
  try {
    await work(place)
  } finally {
    place.remove()
  }
}

it('a kept policy is the one in force when it changes a hundred times, no two apart by more than the clock can tell', () =>
  withPlace(async place => {
    for (let round = 0; round < 100; round++) {
      place.policy(deny(round % 2 === 0 ? 'git commit' : 'git deploy'))
      expect(await place.ask('git commit'), `round ${round}`).toBe(round % 2 === 0 ? 'deny' : '')
    }
  }))

it('what is kept is little: of hundreds of folders of a project, and of many projects', () =>
  withPlace(async place => {
    const { home, project } = place
    place.policy(deny('git commit'))
    for (let nth = 0; nth < 400; nth++) {
      const cwd = join(project, `d${nth}`)
      mkdirSync(cwd)
      expect(await place.ask('git commit', { cwd, session: `s${nth}` })).toBe('deny')
    }
    expect(place.resident.policies).toBe(256)
    // each with a program of its own, of which not so many fit
    for (let nth = 0; nth < 80; nth++) {
      const cwd = join(home, `p${nth}`)
      mkdirSync(join(cwd, '.git'), { recursive: true })
      place.policy('use: [router-first, orchestrator-boundary, master-orchestrator, tool-routing]', cwd)
      expect(await place.ask('git commit', { cwd, session: `p${nth}` })).toBe('deny')
    }
    expect(place.resident.policies).toBeLessThan(80)
    expect(await place.ask('git commit')).toBe('deny')
  }))
