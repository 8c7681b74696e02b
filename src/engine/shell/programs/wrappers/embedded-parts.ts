import { literalArg } from '../../calls/argument.ts'
import { addFileAction, type ProgramCall } from '../../calls/program-call.ts'
import { findEmbeddedParts } from '../embedded-code/index.ts'
import { isProgramName, runsElsewhere } from './unknown-wrapper.ts'

const MOST_PARTS = 32
const LONGEST_LINE = 4096

/**
 * `python3 -c "shutil.rmtree('/a')"`, `PAGER='rm -rf ~' git log`: the doubt about the call stays, and what is written in it counts
 * for certain too. For calls with text that is not read. Returns how many commands were found.
 */
export function addEmbeddedParts(call: ProgramCall, most: number): number {
  if (runsElsewhere(call.program) || READ_ELSEWHERE.test(call.program)) return 0
  const { program, args, assigns, stdin, via } = call
  const words = args.slice(1).flatMap(({ text }) => (text === null ? [] : [text]))
  const { lines, commands, files, possible } = findEmbeddedParts({
    program,
    words,
    assigns,
    stdin: stdin ?? undefined,
    via,
  })
  for (const { action, path } of files.slice(0, MOST_PARTS))
    addFileAction(call, action, { ...literalArg(path), glob: /[*?]/.test(path) })
  const scripts = [...lines, ...possible.filter(line => isProgramName(/^\S*/.exec(line)?.[0] ?? ''))]
  const runs = [
    ...[...new Set(scripts)].filter(line => line.length <= LONGEST_LINE).map(script => ({ script })),
    ...commands.map(command => command.map(literalArg)),
  ].slice(0, Math.min(MOST_PARTS, most))
  for (const run of runs) call.inner.push({ run, aside: true })
  return runs.length
}

/** Their words are for another machine, or are read as lines of Windows. */
const READ_ELSEWHERE =
  /^(?:(?:ssh|mosh|rsh|telnet|nc|ncat|socat)|(?:pwsh|powershell|cmd)(?:\.exe)?|[A-Z][a-z]+-[A-Z]\w+)$/
