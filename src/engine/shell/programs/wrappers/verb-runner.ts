import { type Arg, mayBeOption } from '../../calls/argument.ts'
import type { ProgramCall, ProgramDescription } from '../../calls/program-call.ts'
import type { RunSpecs } from '../rare-programs/run-specs.ts'
import { createWrapperReader, type WrapperSpec } from './wrapper-spec.ts'

interface FoundVerb {
  readonly spec: WrapperSpec
  /** position of its last word */
  readonly at: number
}

/** `before`: options with a value that may stand in front of the verb. An unknown word may be the verb, so nothing is found behind it. */
function findVerb({ args }: ProgramCall, verbs: RunSpecs['verbs'], before: ReadonlySet<string>): FoundVerb | undefined {
  let verb = ''
  for (let at = 1; at < args.length; at += 1) {
    const arg = args[at] as Arg
    const { text } = arg
    if (text === null) return undefined
    if (text === '--' && Object.hasOwn(verbs, text)) return { spec: verbs[text] as WrapperSpec, at: 0 }
    if (mayBeOption(arg) && text !== '-' && text !== '') {
      if (before.has(text)) at += 1
      continue
    }
    verb += verb === '' ? text : ` ${text}`
    const spec = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (spec !== undefined) return { spec, at }
    if (!Object.keys(verbs).some(one => one.startsWith(`${verb} `))) return undefined
  }
  return undefined
}

interface More {
  readonly guesses: boolean
  /** reads all words first */
  readonly special: (call: ProgramCall) => void
  readonly more: NonNullable<WrapperSpec['more']>
}

/** A program with verbs, some of which run a command. */
export function verbRunner(
  { verbs, before = '', flags }: RunSpecs,
  { guesses, special, more }: More,
): ProgramDescription {
  const values = new Set(before.split(' '))
  return {
    ...(before !== '' && { values: before }),
    ...(flags !== undefined && { flags }),
    inner: () => undefined,
    guesses,
    special: call => {
      special(call)
      const found = findVerb(call, verbs, values)
      if (found === undefined) return
      const { spec, at } = found
      // `tmux new 'cmd' \\; other`
      const end = call.args.findIndex(({ text }, nth) => nth > at && text === ';')
      const words = call.args.slice(at + 1, end === -1 ? undefined : end)
      const own: ProgramCall = { ...call, args: [call.args[0] as Arg, ...words] }
      // an option may choose another project, so only the plain form proves what the command did
      const isPlain = words[0]?.head.startsWith('-') === false && at === 1
      createWrapperReader({ ...spec, more, ...(!isPlain && { keeps: false }) })(own)
      if (call.inner.length > 0) call.own = at + (own.own ?? 0)
      call.idle ||= own.idle
      call.obscured = own.obscured
      call.altered ||= own.altered
    },
  }
}
