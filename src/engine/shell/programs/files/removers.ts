import type { Arg } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileAction, addFileActions, hasOption, type ProgramCall } from '../../calls/program-call.ts'

/** Deletes files, but no folder with what is in it. */
export function addFileDeletes(call: ProgramCall, args: readonly Arg[]): void {
  for (const arg of args) addFileAction(call, 'delete', arg, { whole: false })
}

const fileRemover: ProgramDescription = { special: call => addFileDeletes(call, call.line.operands) }

/** No file that `*.txt` matches is an option: `-r.txt` is an error. */
const isNoOption = ({ text, glob }: Arg): boolean => glob && /\.\w+$/.test(text ?? '')

/** Without `-r`, `rm` deletes no folder. An unknown word may be `-r`. */
function readRm(call: ProgramCall): void {
  const { line, args } = call
  const hidesOption = line.hidesOption && args.some(arg => (arg.text === null || arg.glob) && !isNoOption(arg))
  if (hidesOption || hasOption(call, '-r -R --recursive')) addFileActions(call, 'delete', line.operands)
  else addFileDeletes(call, line.operands)
}

/** Programs that delete files. */
export const REMOVER_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  rmdir: { flags: '-p -v', operands: 'delete' },
  rm: { flags: '-r -R -f -i -I -v -d --recursive --force --verbose --dir --one-file-system', special: readRm },
  unlink: fileRemover,
  trash: { operands: 'delete' },
  'trash-put': { operands: 'delete' },
  rimraf: { flags: '-g -v -i --glob --verbose --interactive --preserve-root', operands: 'delete' },
  'del-cli': { flags: '-f --force', operands: 'delete' },
  shred: {
    flags: '-f -u -v -x -z',
    values: '-n -s --size --random-source',
    // the content is destroyed, also for other hard links to the file
    special: call => {
      addFileActions(call, 'write', call.line.operands)
      addFileDeletes(call, call.line.operands)
    },
  },
}
