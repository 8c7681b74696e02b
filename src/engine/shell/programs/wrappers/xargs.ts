import { type Arg, literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addOpaqueAction, type ProgramCall } from '../../calls/program-call.ts'
import { addPossibleCommands, findCommandStart } from './wrapper-spec.ts'

/** `xargs -I{} cmd {}`: the placeholder stands for an unknown word. */
function readXargs(call: ProgramCall): void {
  const { at } = findCommandStart(call, XARGS_WRAPPER)
  const words = call.args.slice(at)
  call.own = at
  call.onlyReads = true
  if (words.length === 0) return
  addPossibleCommands(call, at)
  const options = call.args.slice(1, at)
  // `--process-slot-var`: xargs stores a number in the variable, which may be `PATH`
  if (options.some(({ head }) => head.startsWith('--p'))) addOpaqueAction(call)
  const placeholder = placeholderOf(options)
  addKnownInput(call, words, placeholder)
  if (placeholder === undefined) call.inner.push({ run: [...words, UNKNOWN_ARG] })
  else {
    const run = words.map(arg => (arg.text?.includes(placeholder) ? UNKNOWN_ARG : arg))
    call.inner.push({ run: options.some(isCountOption) ? [...run, UNKNOWN_ARG] : run })
  }
}

/** `echo ~ | xargs rm -rf`: what the line itself writes into the input counts beside the unknown word. */
function addKnownInput(call: ProgramCall, words: readonly Arg[], placeholder: string | undefined): void {
  const { stdin = null } = call
  if (stdin === null || stdin.length > 4096 || /["'\\]/.test(stdin)) return
  const given = stdin.split(/[\s\0]+/).filter(Boolean)
  if (given.length === 0) return
  if (placeholder === undefined) call.inner.push({ run: [...words, ...given.map(literalArg)], aside: true })
  else if (placeholder !== '')
    for (const one of given.slice(0, 64))
      call.inner.push({
        run: words.map(arg =>
          arg.text?.includes(placeholder) ? literalArg(arg.text.replaceAll(placeholder, one)) : arg,
        ),
        aside: true,
      })
}

/** `-n 3`, `-L1`: the input is appended at the end. Whether this or the placeholder wins differs. */
const isCountOption = ({ text, head }: Arg): boolean => /^(-[0rtpxo]*[nLl]|--max-[al])/.test(text ?? head)

/** The placeholder of the last `-I x`, `-i[x]` or `--replace[=x]`. An empty placeholder matches every word. */
function placeholderOf(options: readonly Arg[]): string | undefined {
  let found: string | undefined
  options.forEach((arg, at) => {
    const stuck = /^(?:-[0rtpxo]*([Ii])|--replace(?:=|$))(.*)$/s.exec(arg.text ?? arg.head)
    if (stuck === null) return
    if (arg.text === null) found = ''
    else if (stuck[2] !== '') found = stuck[2]
    else found = stuck[1] === 'I' ? (options[at + 1]?.text ?? '') : '{}'
  })
  return found
}

const XARGS_WRAPPER = {
  values: '-I -d -E -a --delimiter --arg-file --process-slot-var',
  numbers: '-n -P -L -s --max-args --max-procs --max-chars',
  flags: '-0 -r -t -p -x -o --null --no-run-if-empty --verbose --interactive --exit --open-tty',
  optional: '-i -l -e --replace --max-lines --eof',
}

export const XARGS_DESCRIPTION: ProgramDescription = {
  values: `${XARGS_WRAPPER.values} ${XARGS_WRAPPER.numbers}`,
  flags: `${XARGS_WRAPPER.flags} ${XARGS_WRAPPER.optional}`,
  inner: () => undefined,
  special: readXargs,
}
