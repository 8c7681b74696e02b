import type { ProgramDescription } from '../calls/program-call.ts'
import { addFileAction, addOpaqueAction } from '../calls/program-call.ts'

/** Options of a pager with a text; the others take a number. */
const TEXT_OPTION = /^(-[pPtTD]|--(pattern|prompt|tag|tag-file|color))$/
const TEXT_VALUE = /^[^$!|\p{Cc}]*$/u
const NUMBER_VALUE = /^[-+\d.,]*$/

/**
 * `+cmd` is the first command of a pager, and `!` in it runs a program. A search pattern is fed to the pager like typed input, so a
 * newline ends the search and begins a command. A `$` in a text ends it, and so does any letter behind a number: further options
 * follow, as in `-b5kfile`.
 */
export const pager: ProgramDescription = {
  onlyReads: true,
  harmful: true,
  flags: '-R -S -N -F -X -i',
  values:
    '-p --pattern -P --prompt -t --tag -T --tag-file -x --tabs -j --jump-target -z --window -b --buffers -h -y -D --color',
  writes: '-o -O --log-file --LOG-FILE',
  runs: '-k --lesskey-src --lesskey-file --lesskey-content --lesskey-context --cmd',
  special: call => {
    for (const { name, value } of call.line.options)
      if (value !== undefined && !(TEXT_OPTION.test(name) ? TEXT_VALUE : NUMBER_VALUE).test(value.text ?? '!'))
        addOpaqueAction(call)
    if (call.args.some(({ text }) => /^-.*\$/s.test(text ?? ''))) addOpaqueAction(call)
    for (const arg of call.line.operands) {
      if (!arg.head.startsWith('+')) addFileAction(call, 'read', arg)
      else if (arg.text === null || /[!|\p{Cc}]/u.test(arg.text)) addOpaqueAction(call)
      else call.onlyReads = false
    }
  },
}
