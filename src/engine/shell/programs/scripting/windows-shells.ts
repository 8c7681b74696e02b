import type { Action } from '../../../model/event.ts'
import { literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFetchAction, addFileAction, addOpaqueAction, forNames, type ProgramCall } from '../../calls/program-call.ts'
import { readWindowsLine, type WindowsCommand } from '../embedded-code/index.ts'

type WindowsShell = 'powershell' | 'cmd'

/** Adds what the line does, beside a doubt: only a line of commands that read, with literal words, has none. */
function addWindowsLine(call: ProgramCall, line: string | null, shell: WindowsShell): void {
  const commands = line === null ? [] : readWindowsLine(line, shell)
  const onlyReads = commands.length > 0 && commands.every(one => one.onlyReads)
  call.onlyReads = onlyReads
  if (!onlyReads) addOpaqueAction(call)
  for (const command of commands) {
    call.acts.push(runAction(command, call.via))
    for (const { action, path } of command.files) {
      const arg = path === null ? UNKNOWN_ARG : { ...literalArg(path), glob: /[*?]/.test(path) }
      addFileAction(call, action, arg, action === 'delete' ? { whole: true } : {})
    }
    for (const url of command.urls) addFetchAction(call, url === null ? UNKNOWN_ARG : literalArg(url))
  }
}

const runAction = ({ words, onlyReads }: WindowsCommand, via: string): Action => ({
  action: 'run',
  words: words.map((text, at) => ({ text, role: at > 0 && text?.startsWith('-') ? 'option' : 'plain' })),
  via,
  ...(onlyReads && { onlyReads }),
})

const lineOf = (call: ProgramCall, from: number): string | null => {
  const words = call.args.slice(from)
  return words.some(({ text, glob }) => text === null || glob) ? null : words.map(({ text }) => text).join(' ')
}

/** Options of `pwsh` without a value, and those with one. All may be abbreviated. */
const FLAG = /^[-/](?:nop\w*|nol\w*|noni\w*|noe\w*|i|interactive|mta|sta|l|login)$/i
const VALUED = /^[-/](?:ex\w*|ep|w|wi\w*|o|of|outputf\w*|inp\w*|if|wd|wo\w*|cus\w*|ps\w*|v|version)$/i

function readPowershell(call: ProgramCall): void {
  for (let at = 1; at < call.args.length; at += 1) {
    const text = call.args[at]?.text ?? null
    if (text === null) break
    if (/^(?:-h|-help|-\?|\/\?|--version)$/i.test(text)) return
    if (FLAG.test(text)) continue
    if (/^[-/]c(?:o\w*)?$/i.test(text)) {
      addWindowsLine(call, lineOf(call, at + 1), 'powershell')
      return
    }
    if (VALUED.test(text)) {
      at += 1
      continue
    }
    if (/^[-/]f(?:ile?)?$/i.test(text)) addFileAction(call, 'read', call.args[at + 1])
    // `powershell` takes the first word for a command, and `pwsh` for a script
    else if (!/^[-/]/.test(text) && call.program === 'powershell') {
      addWindowsLine(call, lineOf(call, at), 'powershell')
      return
    }
    break
  }
  addOpaqueAction(call)
}

function readCmd(call: ProgramCall): void {
  const at = call.args.findIndex(({ text }) => /^\/[ckr]$/i.test(text ?? ''))
  if (at > 0) addWindowsLine(call, lineOf(call, at + 1), 'cmd')
  else if (call.args[1]?.text !== '/?') addOpaqueAction(call)
}

const powershell: ProgramDescription = { special: readPowershell }
const cmd: ProgramDescription = { special: readCmd }

/** A command of PowerShell as a program of its own: the line is none of bash. Its text is read again, as bash reads `\` in another way. */
const cmdlet: ProgramDescription = { special: call => addWindowsLine(call, call.via, 'powershell') }

const CMDLET =
  /^(?:Get|Set|New|Remove|Add|Clear|Copy|Move|Rename|Out|Invoke|Start|Stop|Restart|Test|Select|Where|ForEach|Sort|Measure|Format|Import|Export|Convert(?:To|From)|Write|Read|Register|Unregister|Enable|Disable|Install|Uninstall|Update|Expand|Compress|Push|Pop|Resolve|Unblock|Wait)-[A-Z][A-Za-z]+$/
const KNOWN_CMDLET =
  /^(?:remove-item|get-childitem|get-content|set-content|add-content|out-file|new-item|copy-item|move-item|clear-content|invoke-expression|invoke-webrequest|invoke-restmethod|start-process|stop-process|stop-computer|restart-computer|format-volume|clear-disk|test-path)$/i

/** `Remove-Item`, in any case if it is well known. */
export const describeCmdlet = (name: string): ProgramDescription | undefined =>
  CMDLET.test(name) || KNOWN_CMDLET.test(name) ? cmdlet : undefined

export const WINDOWS_SHELLS: Readonly<Record<string, ProgramDescription>> = {
  ...forNames('powershell powershell.exe pwsh pwsh.exe', powershell),
  ...forNames('cmd cmd.exe', cmd),
  ...forNames('iwr irm', cmdlet),
}
