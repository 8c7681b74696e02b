import { addFileAction, addOpaqueAction, hasOption, type ProgramCall } from './program-call.ts'
import { canDoMoreThanRead, type ProgramDescription } from './program-description.ts'

/** Adds to the call what its description says about these words. */
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
  // a word that cannot be told may turn out to be `--output=f`
  if (call.onlyReads && canDoMoreThanRead(description) && call.line.hidesOption) call.onlyReads = false
}
