import { describe, expect, it } from 'vitest'
import { contestants } from './client.ts'
import type { Launch } from './driver.ts'
import { playBeside } from './scripted-play.ts'
import { TerminalSession } from './terminal.ts'

// without a full stop, which one of them leaves out
const REASON = 'Nobody pushes on a Friday'

const POLICY = {
  gates: {
    'no-push': {
      rules: [{ when: { event: 'tool.before', command: 'git push' }, then: 'deny', message: REASON }],
    },
  },
}

/** How each begins with a prompt at a terminal. Claude Code asks a new user too much first. */
const SHOWN: Readonly<Record<string, (args: readonly string[]) => readonly string[]>> = {
  'codex-cli': args => args.filter(arg => arg !== 'exec' && arg !== '--skip-git-repo-check'),
  'copilot-cli': args => args.map(arg => (arg === '-p' ? '-i' : arg)),
  'qwen-code': args => args.map(arg => (arg === '-p' ? '-i' : arg)),
  'gemini-cli': args => args.map(arg => (arg === '-p' ? '-i' : arg)),
  opencode: args => args.flatMap(arg => (arg === 'run' ? [] : arg === args.at(-1) ? ['--prompt', arg] : [arg])),
}

/** What it asks before it begins. */
const QUESTION: Readonly<Record<string, string>> = { 'copilot-cli': 'Do you trust the files in this folder?' }

const onScreen = ({ id }: { readonly id: string }, launch: Launch): Launch => ({
  ...{ ...launch, args: SHOWN[id]?.(launch.args) ?? launch.args },
})

describe.concurrent.each(contestants().filter(({ id }) => SHOWN[id]))('$id $version, at a terminal', contestant => {
  let words = ''

  it('shows the person why a call was refused', () =>
    playBeside(
      contestant,
      'at a terminal: the reason is on the screen',
      {
        policy: POLICY,
        script: told => [{ kind: 'shell', command: 'git push' } as const][told.length],
        start: async (launch, { project }) => {
          const session = new TerminalSession(onScreen(contestant, launch), project)
          try {
            const question = QUESTION[contestant.id]
            if (question && (await session.shows(question, 60_000)).includes(question)) session.type('\r')
            words = await session.shows(REASON, 90_000)
            return { exitCode: null, output: session.lines.join('\n'), timedOut: false }
          } finally {
            session.end()
          }
        },
      },
      ({ ended, records }) => {
        expect(words, ended.output).toContain(REASON)
        expect(records.filter(({ decision }) => decision === 'deny')).toHaveLength(1)
      },
    ))
})
