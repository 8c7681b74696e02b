import { addFileAction, addOpaqueAction, hasOption, type ProgramCall } from './program-call.ts'
import { canDoMoreThanRead, type ProgramDescription } from './program-description.ts'

/** Adds the effects that the program's description gives for these words to the call. */
export function applyDescription(call: ProgramCall, description: ProgramDescription): void {
  call.onlyReads = description.onlyReads === true
  description.special?.(call)
  for (const { kind, value } of call.line.options) {
    if (kind === 'read' || kind === 'write') addFileAction(call, kind, value)
    else if (kind === 'run' || kind === 'risk') addOpaqueAction(call)
    else if (kind === 'alter') call.onlyReads = false
  }
  if (description.operands !== undefined) {
    const skip = description.skip ?? 0
    const skipped =
      skip > 0 && (description.skipUnless === undefined || !hasOption(call, description.skipUnless)) ? skip : 0
    const { operands } = call.line
    for (let at = skipped; at < operands.length; at += 1) addFileAction(call, description.operands, operands[at])
  }
  // an unknown word may be `--output=f`
  if (call.onlyReads && canDoMoreThanRead(description) && call.line.hidesOption) call.onlyReads = false
}
