import { literalArg, scriptTextOf } from '../../calls/argument.ts'
import type { ProgramCall, ProgramDescription } from '../../calls/program-call.ts'
import { runSpecsOf } from '../rare-programs/index.ts'
import { verbRunner } from './verb-runner.ts'
import { wrapperDescription } from './wrapper-spec.ts'

/** Programs of `programs/rare-programs`. Their tables are loaded when one of them is called. */
const GUESSED =
  'uv uvx pipx poetry pipenv rye hatch pdm conda mamba micromamba bundle mise rtx asdf direnv dotenv op doppler infisical aws-vault systemd-run tmux screen nix-shell firejail flatpak'.split(
    ' ',
  )
const RUNNERS: ReadonlySet<string> = new Set([
  ...GUESSED,
  ...'chrt setpriv prlimit choom unshare nsenter chroot ionice caffeinate taskset docker podman nerdctl docker-compose podman-compose kubectl oc lxc incus multipass adb vagrant gcloud fly flyctl heroku'.split(
    ' ',
  ),
])
export const isRunner = (name: string): boolean => RUNNERS.has(name)

/** `nix develop .#x -c cmd words`: the command is all words behind the option. */
function readNix(call: ProgramCall): void {
  const at = call.args.findIndex(({ text }, nth) => nth > 0 && /^(-c|--command)$/.test(text ?? ''))
  if (at > 0 && call.args.length > at + 1) call.inner.push({ run: call.args.slice(at + 1) })
}

const KEY_NAME = /^(Enter|Escape|Space|Tab|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|([CMS]-)+\S+|F\d+)$/

/** What is typed into a shell that runs already: `tmux send-keys -t x 'cmd' Enter`, `screen -X stuff 'cmd\n'`. */
function pushTyped(call: ProgramCall, words: ProgramCall['args']): void {
  const typed = words.filter(({ text }) => !KEY_NAME.test(text ?? ''))
  if (typed.length === 0) return
  const script = scriptTextOf(...typed)?.replace(/(\\n|\\r|\^M|\\015)+$/, '') ?? null
  call.inner.push({ run: { script }, place: 'unknown' })
}

function readTmux(call: ProgramCall): void {
  const at = call.args.findIndex(({ text }) => /^send(-keys)?$/.test(text ?? ''))
  if (at === -1) return
  const words: ProgramCall['args'][number][] = []
  for (let nth = at + 1; nth < call.args.length && call.args[nth]?.text !== ';'; nth += 1) {
    const arg = call.args[nth]
    if (words.length === 0 && /^-[tNc]$/.test(arg?.text ?? '')) nth += 1
    else if (arg !== undefined && (words.length > 0 || !/^-[FHKlMRX]*$/.test(arg.text ?? ''))) words.push(arg)
  }
  pushTyped(call, words)
}

/** `screen -S x -X stuff 'cmd\\n'` */
function readScreen(call: ProgramCall, start: ((call: ProgramCall) => void) | undefined): void {
  const at = call.args.findIndex(({ text }) => text === 'stuff')
  if (call.args.some(({ text }) => text === '-X')) pushTyped(call, at === -1 ? [] : call.args.slice(at + 1))
  else start?.(call)
}

/** `bwrap --bind a b --dev /dev cmd`: options take no, one or two words. */
function readBwrap(call: ProgramCall): void {
  const { args } = call
  let at = 1
  for (; at < args.length && args[at]?.head.startsWith('--'); at += 1) {
    const text = args[at]?.text ?? ''
    if (/^--(unshare-|share-|die-|new-session|as-pid|clearenv|disable|help|version)/.test(text)) continue
    if (text === '--') {
      at += 1
      break
    }
    at += /bind|symlink|^--(setenv|chmod|file|overlay)/.test(text) ? 2 : 1
  }
  call.own = at
  if (at < args.length) call.inner.push({ run: args.slice(at), place: 'unknown' })
}

/** `docker run --entrypoint sh image -c 'line'`: the words behind the image belong to the entry point. */
function readEntrypoint(call: ProgramCall, given: readonly string[]): void {
  if (!given.includes('--entrypoint')) return
  const at = call.args.findIndex(({ head }) => head.startsWith('--entrypoint'))
  const arg = call.args[at]
  const program = arg?.text === '--entrypoint' ? call.args[at + 1] : literalArg(arg?.text?.slice(13) ?? '')
  if (program !== undefined) call.inner.push({ run: [program, ...call.args.slice(call.own)], place: 'elsewhere' })
}

/** With another server or other settings, the name of the program says less. */
const OTHER_SERVER: Readonly<Record<string, RegExp>> = {
  docker: /^(-H|--host|--config)$/,
  kubectl: /^(--kubec?o?n?f?i?g?|-s|--server)$/,
}

function readBefore(call: ProgramCall): void {
  if (call.program === 'tmux') readTmux(call)
  const names = OTHER_SERVER[call.program]
  if (names !== undefined && call.line.options.some(({ name }) => names.test(name))) call.altered = true
}

const known = new Map<string, ProgramDescription | undefined>()

export function runnerDescription(name: string): ProgramDescription | undefined {
  if (!known.has(name)) known.set(name, describeRunner(name))
  return known.get(name)
}

function describeRunner(name: string): ProgramDescription | undefined {
  const specs = runSpecsOf(name)
  if (specs === undefined) return undefined
  const guesses = GUESSED.includes(name)
  const plain = specs.verbs['']
  if (plain === undefined) return verbRunner(specs, { guesses, special: readBefore, more: readEntrypoint })
  const wrapper = wrapperDescription(plain)
  return name === 'screen'
    ? { ...wrapper, guesses, special: call => readScreen(call, wrapper.special) }
    : { ...wrapper, guesses: name === 'nix-shell' }
}

/** `nix` names no verb, and `bwrap` has options with one word or two. */
export const RUNNER_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  nix: { inner: () => undefined, guesses: true, special: readNix },
  bwrap: { inner: () => undefined, special: readBwrap },
}
