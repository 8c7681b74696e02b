import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contestants } from './client.ts'
import type { Act } from './scenario.ts'
import { playBeside } from './scripted-play.ts'
import type { Folders } from './stage.ts'

const shell = (command: string): Act => ({ kind: 'shell', command })

const POLICY = {
  gates: {
    'tests-before-commit': {
      initial: 'closed',
      transitions: [
        { from: 'closed', to: 'open', when: { event: 'tool.after', command: 'npm test', succeeded: true } },
      ],
      rules: [
        {
          ...{ while: 'closed', when: { event: 'tool.before', command: 'git commit' }, then: 'deny' },
          ...{ message: 'Run {suggest} first.', suggest: 'npm test' },
        },
      ],
    },
  },
}

describe.concurrent.each(contestants().filter(({ served }) => served))(
  '$id $version, with its state deleted during a session',
  contestant => {
    const { capabilities } = contestant.served ?? {}
    const TEST = shell(capabilities?.reportsExit ? 'npm test' : 'signalbox run -- npm test')
    const COMMIT = shell('git commit --allow-empty -m x')
    let folders: Folders | undefined
    let isDeleted = false

    it('closes its gates again, opens them when the tests pass, and says that the audit log began anew', () =>
      playBeside(
        contestant,
        'the state is deleted: refused again, and reported',
        {
          policy: POLICY,
          before: { 'package.json': '{ "scripts": { "test": "echo it passed" } }' },
          change: given => {
            folders = given
          },
          script: told => {
            if (told.length === 2 && folders && !isDeleted) {
              isDeleted = true
              rmSync(folders.state, { recursive: true, force: true })
            }
            return [TEST, COMMIT, COMMIT, TEST, COMMIT][told.length]
          },
        },
        ({ told, folders }) => {
          const refusal = 'first.'
          expect(told.map(text => text.includes(refusal))).toEqual([false, false, true, false, false])
          expect(folders.signalbox('audit', 'verify').said).toMatch(/state folder was removed/)
          expect(folders.signalbox('doctor').said).toMatch(/removed/)
        },
      ))
  },
)
