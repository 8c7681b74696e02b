import { callOf, type FlipSession, type ShortEvent } from './flip-session.ts'

/** One way to do what a flip says: a session in which it is done, up to the answer to the event. */
export interface FlipWay {
  readonly text: string
  /** it says that a person is asked on the way */
  readonly asks: boolean
  play(session: FlipSession): Promise<void>
}

type Step = (session: FlipSession) => Promise<void>

const ASKS = ' (a person is asked first)'

/** The ways that the text of a flip names, each to be played for itself; undefined where it says something that is not read here. */
export function waysOf(text: string, event: ShortEvent, agents: readonly string[]): readonly FlipWay[] | undefined {
  const [change = ''] = text.split(/(?::? then|,)? this (?:passes|is )/)
  const parts = splitOutside(change, ', and ')
  const callers = parts.flatMap(part => callersIn(part.replace(ASKS, ''), agents) ?? [])
  const rest = parts.filter(part => callersIn(part.replace(ASKS, ''), agents) === undefined)
  const isSpawnAsked = parts.some(part => part.startsWith('done by') && part.endsWith(ASKS))
  const changed = rest.map(part => changedEvent(part, event))
  const asked = changed.find(one => one !== undefined) ?? event
  const alternatives = rest
    .filter((_, at) => changed[at] === undefined)
    .map(part => splitOutside(part.replace(/ (?:opens|closes) [\w-]+$/, ''), ', or '))
  const ways = alternatives.reduce<readonly string[]>(
    (all, next) => all.flatMap(one => next.map(other => (one === '' ? other : `${one}, then ${other}`))),
    [''],
  )
  const made = ways.flatMap(way =>
    (callers.length > 0 ? callers : [undefined]).map(caller => wayOf(way, asked, caller, isSpawnAsked)),
  )
  return made.every(one => one !== undefined) ? made : undefined
}

function wayOf(text: string, event: ShortEvent, caller: string | undefined, asks: boolean): FlipWay | undefined {
  const parts = text === '' ? [] : splitOutside(text, ', then ')
  const steps = parts.map(part => stepOf(part.replace(ASKS, '')))
  if (steps.some(step => step === undefined)) return undefined
  const isClock = CLOCK.test(parts[0] ?? '')
  return {
    text: `${text}${caller === undefined ? '' : ` by ${caller}`}`,
    asks: asks || text.includes(ASKS),
    play: async session => {
      // a new session counts from its first event on
      if (isClock) await session.event(event)
      for (const step of steps) await step?.(session)
      if (caller === undefined) await session.event(event)
      else await judged(session, event, caller)
    },
  }
}

/** The agent does the thing, and nothing is done after it: the answer to it is the last one. */
class AnsweredError extends Error {}

async function judged(session: FlipSession, event: ShortEvent, caller: string): Promise<void> {
  try {
    await session.agent(caller, async () => {
      await session.event(event)
      throw new AnsweredError()
    })
  } catch (error) {
    if (!(error instanceof AnsweredError)) throw error
  }
}

/** Agents that `done by any agent` and the like mean; `agents`: those that the policy names. */
function callersIn(part: string, agents: readonly string[]): readonly string[] | undefined {
  const named = /^done by the agent `([\w-]+)`$/.exec(part)?.[1]
  if (named !== undefined) return [named]
  if (part === 'done by any other agent') return ['zed']
  if (part === 'done by any agent') return ['zed', ...agents]
  return part === 'done by an agent that the policy does not name' ? ['zed'] : undefined
}

function changedEvent(part: string, event: ShortEvent): ShortEvent | undefined {
  const line = /^as `([\s\S]+)`, with(?:out)? `/.exec(part)?.[1]
  if (line !== undefined) return line
  const without = /^without (?:`([^`]+)`|write (?:\S+\/)?(\S+))$/.exec(part)
  if (without) return withoutPart(event, without[1], without[2])
  const path = /^as (\S+)$/.exec(part)?.[1]
  const key = /^(write|edit|read): /.exec(event)?.[1]
  if (path !== undefined && key !== undefined) return `${key}: ${path}`
  const such = /^with another message, such as (?:`([\s\S]+)`|("[\s\S]*"))$/.exec(part)
  if (such?.[1] !== undefined) return such[1]
  return such?.[2] === undefined ? undefined : `prompt: ${JSON.parse(such[2])}`
}

/** The line without a command of it, or without a redirection. */
function withoutPart(line: string, command: string | undefined, file: string | undefined): string | undefined {
  const escaped = (command ?? file ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const part = command
    ? new RegExp(`^(.+?) *(?:&&|;|\\|\\||\\|) *${escaped}$`)
    : new RegExp(`^(.+?) *>>? *\\S*${escaped}$`)
  return part.exec(line)?.[1]
}

const CLOCK = /^(?:waiting|the next event after) /

function stepOf(part: string): Step | undefined {
  const [, by] = /, by (?:the agent `([\w-]+)`|an agent),?$/.exec(part) ?? []
  const isBy = /, by (?:the agent `[\w-]+`|an agent),?$/.test(part)
  const does = plainStep(part.replace(/, by (?:the agent `[\w-]+`|an agent),?$/, ''))
  if (!isBy || !does) return does
  return session => session.agent(by ?? 'zed', () => does(session))
}

/** How each sentence is done. */
const SENTENCES: readonly (readonly [RegExp, (found: RegExpExecArray) => Step])[] = [
  [
    /^waiting (\d+) s(?: while .+)?$/,
    ([, s]) =>
      async session =>
        session.wait(Number(s)),
  ],
  [
    /^the next event after (.+)$/,
    ([, counters = '']) =>
      async session => {
        const most = (unit: string) =>
          Math.max(0, ...[...counters.matchAll(new RegExp(`(\\d+) ${unit}s? since`, 'g'))].map(one => Number(one[1])))
        for (let nth = 0; nth < most('operation'); nth++) await session.call(callOf('shell', 'true'), 'succeeds')
        for (let nth = 0; nth < most('turn'); nth++) await session.prompt('go on')
      },
  ],
  [/^the next prompt$/, () => session => session.prompt('go on')],
  [
    /^the prompt `([\s\S]*)`$/,
    ([, text = '']) =>
      session =>
        session.prompt(text),
  ],
  [/^the end of the turn$/, () => session => session.stop()],
  [
    /^the end of the agent `([\w-]+)`(?:, with the answer `([\s\S]+)`)?$/,
    ([, type = '', answer]) =>
      session =>
        session.agent(type, undefined, answer),
  ],
  [
    /^(?:the start of|spawning) the agent `([\w-]+)`( that succeeds)?$/,
    ([, type = '']) =>
      session =>
        session.agent(type),
  ],
  [
    /^a call of the tool `(\w+)`(?: with `(\{[\s\S]*\})`)?( that succeeds| that fails)?$/,
    ([, tool_name = '', input = '{}', how]) =>
      session =>
        session.call({ tool_name, tool_input: JSON.parse(input) }, how === ' that fails' ? 'fails' : 'succeeds'),
  ],
  [/^writing or deleting a file$/, () => does('write', 'zz.txt')],
  [/^deleting (\S+|a file)$/, ([, what = '']) => does('shell', `rm ${what === 'a file' ? 'zz.txt' : what}`)],
  [
    /^(writ|edit|read|fetch)(?:t?ing) (\S+|a file)( that succeeds| that fails)?$/,
    ([, verb = '', what = '', how]) =>
      does(verb === 'writ' ? 'write' : verb, what === 'a file' ? 'zz.txt' : what.replace(/\*+$/, 'zz.ts'), how),
  ],
  [
    /^`([^`]+)`( that succeeds| that fails)?(?: and prints `([\s\S]+)`)?$/,
    ([, line = '', how, output]) => does('shell', line, how, output),
  ],
]

const does =
  (key: string, what: string, how = ' that succeeds', output = ''): Step =>
  session =>
    session.call(callOf(key, what), how === ' that fails' ? 'fails' : 'succeeds', output)

function plainStep(part: string): Step | undefined {
  for (const [pattern, make] of SENTENCES) {
    const found = pattern.exec(part)
    if (found) return make(found)
  }
  return undefined
}

/** Splits where it does not stand between backticks. */
function splitOutside(text: string, by: string): readonly string[] {
  const parts: string[] = []
  let [from, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '`') isQuoted = !isQuoted
    if (isQuoted || !text.startsWith(by, at)) continue
    parts.push(text.slice(from, at))
    from = at + by.length
  }
  return [...parts, text.slice(from)].filter(part => part !== '')
}
