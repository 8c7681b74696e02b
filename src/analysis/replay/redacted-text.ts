import type { Event } from '../../engine/index.ts'
import { redact } from '../../store/index.ts'

const MAX_LENGTH = 160

/** The caller, redacted: transcripts contain secrets in plain text. */
export const redactedCaller = ({ caller }: Event): string =>
  redact(caller.kind === 'agent' ? (caller.type ?? 'agent') : caller.kind)

/** All actions of a call whose input was not recorded: the denied action need not be the first. */
const actionTexts = (call: Event['call']): string =>
  [...new Set(call?.acts.flatMap(({ via, url, agent, place }) => via ?? url ?? agent ?? place?.lexical ?? []))].join(
    '; ',
  )

/** The event in words, redacted. */
export function redactedEventText({ kind, call, prompt, agent }: Event): string {
  const { command, file_path, url } = call?.input ?? {}
  const object = [command, file_path, url].find(value => typeof value === 'string') ?? actionTexts(call)
  const text = call
    ? call.tool === 'Bash' && object
      ? String(object)
      : `${call.tool} ${object ?? ''}`
    : (prompt?.text ?? agent ?? kind)
  const plain = redact(text.slice(0, 4000)).replace(/\s+/g, ' ').trim()
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain
}
