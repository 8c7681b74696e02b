import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileActions, addOpaqueAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'
import { createWrapperReader, type WrapperSpec, wrapperDescription } from './wrapper-spec.ts'

function readSudo(call: ProgramCall, given: readonly string[]): void {
  if (given.some(name => /^(-e|--edit)$/.test(name))) addFileActions(call, 'write', call.line.operands)
  if (given.some(name => /^(-[a-zA-Z]*[is]|--login|--shell)$/.test(name))) addOpaqueAction(call)
}

export function addOpaqueUnlessScript(call: ProgramCall, given: readonly string[]): void {
  if (!given.some(name => name === '-c' || name === '--command')) addOpaqueAction(call)
}

const SU: WrapperSpec = {
  script: '-c --command --session-command',
  trailing: 'anywhere',
  values: '-s --shell -g -G -u --user',
  flags: '-l -m -p - --login',
  more: addOpaqueUnlessScript,
}
const su = wrapperDescription(SU)

/** `runuser -u bob cmd` starts the command, and `runuser bob -c cmd` a shell. */
const runuser: ProgramDescription = {
  ...su,
  special: call => {
    const { trailing, ...direct } = SU
    createWrapperReader(hasOption(call, '-u --user') ? direct : SU)(call)
  },
}

/** Wrappers that run a command as another user. */
export const USER_WRAPPERS: Readonly<Record<string, ProgramDescription>> = {
  sudo: wrapperDescription({
    values: '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --role --type',
    flags: '-E -H -n -k -K -S -b -A -P -v -l -i -s -e --preserve-env --login --shell --edit --non-interactive --stdin',
    folder: '-D --chdir -R --chroot',
    assigns: true,
    keeps: true,
    more: readSudo,
  }),
  doas: wrapperDescription({ values: '-u -C', flags: '-n -s -L', keeps: true, more: readSudo }),
  sudoedit: { operands: 'write' },
  // it starts in the other user's home folder
  pkexec: wrapperDescription({ values: '--user -u', flags: '--disable-internal-agent --keep-cwd', place: 'unknown' }),
  su,
  runuser,
}
