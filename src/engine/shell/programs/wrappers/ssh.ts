import { scriptTextOf } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addOpaqueAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'

/** Options of ssh that run nothing here. */
const SSH_SETTING =
  /^(StrictHostKeyChecking|ConnectTimeout|BatchMode|UserKnownHostsFile|ServerAlive\w+|LogLevel|Port|User|IdentityFile|IdentitiesOnly|RequestTTY)[= ]/i

/** `ssh host cmd words`: a shell of the other machine reads the words as one line. */
function readSsh(call: ProgramCall): void {
  const { options, operands } = call.line
  const settings = options.filter(({ name }) => name === '-o')
  const isPlain = settings.every(({ value }) => SSH_SETTING.test(value?.text ?? '')) && !hasOption(call, '-F -S')
  const at = operands[0] === undefined ? -1 : call.args.indexOf(operands[0])
  const words = call.args.slice(at + 1)
  if (words[0]?.text === '--') words.shift()
  call.own = at + 1
  // without a command, a shell of the other machine reads what is typed
  const isCommand = at !== -1 && words.length > 0
  if (!isPlain || call.line.hidesOption || !isCommand || words[0]?.head.startsWith('-')) addOpaqueAction(call)
  if (isCommand) call.inner.push({ run: { script: scriptTextOf(...words) }, place: 'elsewhere' })
}

export const SSH_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  ssh: {
    inner: () => undefined,
    values: '-p -i -l -o -F -L -R -D -J -b -c -e -m -O -Q -S -W -w',
    writes: '-E',
    flags: '-A -a -C -f -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -4 -6',
    special: readSsh,
  },
}
