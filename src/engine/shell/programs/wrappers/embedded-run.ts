import { basename, literalArg } from '../../calls/argument.ts'
import type { ProgramCall } from '../../calls/program-call.ts'

const SIGNALBOX = /^signalbox(\.cjs|\.sh)?(@.*)?$/

/**
 * `npx signalbox run -- cmd`, `node bin/signalbox.cjs run -- cmd`: interprets the inner command too. The outer program may start
 * another program with that name, so only the attestation proves success.
 */
export function readEmbeddedRun(call: ProgramCall): void {
  const at = call.args.findIndex(
    ({ text }, nth) => nth > 0 && SIGNALBOX.test(basename(text ?? '')) && call.args[nth + 1]?.text === 'run',
  )
  if (at > 0) call.inner.push({ run: [literalArg('signalbox'), ...call.args.slice(at + 1)] })
}
