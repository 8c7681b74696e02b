import { type Call, has, obscure, touch } from './call.ts'
import { canHarm, type Description } from './description.ts'

/** Adds to the call what its description says about these words. */
export function describeCall(call: Call, description: Description): void {
  call.onlyReads = description.onlyReads === true
  description.special?.(call)
  for (const { kind, value } of call.line.options) {
    if (kind === 'read' || kind === 'write') touch(call, kind, value)
    else if (kind === 'run' || kind === 'risk') obscure(call)
    else if (kind === 'alter') call.onlyReads = false
  }
  if (description.operands !== undefined) {
    const skip = description.skip ?? 0
    const skipped = skip > 0 && (description.skipUnless === undefined || !has(call, description.skipUnless)) ? skip : 0
    const { operands } = call.line
    for (let at = skipped; at < operands.length; at += 1) touch(call, description.operands, operands[at])
  }
  // a word that cannot be told may turn out to be `--output=f`
  if (call.onlyReads && canHarm(description) && call.line.hidesOption) call.onlyReads = false
}
