import { type Stage, withStage } from '../support/in-process-command.ts'
import { withInProcessSandbox } from '../support/in-process-sandbox.ts'
import { FlipSession, type ShortEvent } from './flip-session.ts'
import { type FlipWay, waysOf } from './flip-text.ts'

interface Flip {
  readonly text: string
  readonly decision: string
}

/** What came of the flips that were played. */
export class FlipTally {
  played = 0
  readonly failed: string[] = []
  readonly unread: string[] = []
  /** of a line with a part left out, where no text of it is that part: `sudo git push` without `git push` */
  unplayable = 0
  /** events that nothing explains: the policy does not load, or there is no such event */
  unexplained = 0

  /** Plays every flip of the event under the policy, each way in a session of its own. */
  async play(policy: string, event: ShortEvent, name: string): Promise<void> {
    // a home of its own: in one that knew a better policy, that would take the place of one that does not load
    const flips = await withStage(stage => flipsOf(stage, policy, event))
    if (!flips) this.unexplained += 1
    for (const { text, decision } of flips ?? []) {
      // nothing that an agent does is played for these
      if (text.endsWith('; only a person opens it')) continue
      const ways = waysOf(text, event, agentsIn(policy))
      if (!ways && text.startsWith('without ')) this.unplayable += 1
      else if (!ways) this.unread.push(`${name}: ${event}: ${text}`)
      for (const way of ways ?? []) {
        const { got, asked } = await answerTo(way, policy)
        this.played += 1
        const isSo = got === decision && (decision === 'ask' || asked === way.asks)
        if (!isSo) this.failed.push(`${name}: ${event}: ${text} [${way.text}]: ${got}${asked ? ', asked' : ''}`)
      }
    }
  }
}

async function flipsOf(stage: Stage, policy: string, event: ShortEvent): Promise<readonly Flip[] | undefined> {
  stage.put('signalbox.yaml', policy)
  // in the place that the hook is played in: its own files are below the home folder there
  await stage.run(['explain', '--json', event], { env: { SIGNALBOX_HOME: stage.home } })
  try {
    return JSON.parse(stage.said).counterfactuals
  } catch {
    return undefined
  }
}

const answerTo = (way: FlipWay, policy: string) =>
  withInProcessSandbox({ project: policy }, async sandbox => {
    const session = new FlipSession(sandbox)
    await way.play(session)
    const { decision, asked } = session.said()
    return { got: decision, asked }
  })

const CALLER_KINDS: ReadonlySet<string> = new Set(['main', 'agent', 'unknown'])

/** Agents that the policy names. */
const agentsIn = (policy: string): readonly string[] => {
  const lists = [...policy.matchAll(/\b(?:agent|caller): *\[?([\w, -]+)/g)].flatMap(one => (one[1] ?? '').split(','))
  return [...new Set(lists.map(one => one.trim()))].filter(one => one !== '' && !CALLER_KINDS.has(one))
}
