import { hmacOf } from './hmac.ts'

/** The signed line of `signalbox run` about a command that has ended. The command itself is only covered by the signature. */
export interface Attestation {
  /** as a shell reports it: 128 plus the number of the signal that ended it */
  readonly status: number
  /** when it began and ended, in milliseconds since 1970 */
  readonly from: number
  readonly to: number
  /** makes the line unique */
  readonly nonce: string
  readonly hmac: string
}

/** The fields that the signature covers. */
export interface SignedFields extends Omit<Attestation, 'hmac'> {
  readonly argv: readonly string[]
  /** the real path */
  readonly cwd: string
}

/** 128 bits, so that the line fits into 80 columns: a terminal that wraps the line would break it. */
export const attestationHmac = ({ argv, cwd, status, from, to, nonce }: SignedFields, key: Uint8Array): string =>
  hmacOf(['signalbox run 1', argv, cwd, status, from, to, nonce], key)

/** Only plain characters, so that the line is found in the raw payload, however the client escapes it. */
export function formatAttestation(fields: SignedFields, key: Uint8Array): string {
  const { status, from, to, nonce } = fields
  return `signalbox run: exit ${status} [${from.toString(36)}.${(to - from).toString(36)}.${nonce}.${attestationHmac(fields, key)}]`
}

/** Why `signalbox run` did not sign, from what it printed; its signed lines count first. */
export const unsignedReason = (text: string): string | undefined =>
  /: exit \d+, not signed: ([^"\\\n]+)/.exec(text)?.[1]

const LINE = /signalbox run: exit (\d{1,3}) \[([0-9a-z]{1,10})\.([0-9a-z]{1,10})\.([0-9a-f]{8})\.([\w-]{22})\]/g
const MOST = 64

/** The last lines of this form, without duplicates: a client may report an output twice. Their signatures are not checked here. */
export function findAttestations(text: string): readonly Attestation[] {
  if (!text.includes('signalbox run: exit ')) return []
  const found = new Map<string, Attestation>()
  for (const [line, status, from = '', took = '', nonce = '', hmac = ''] of text.matchAll(LINE)) {
    const began = Number.parseInt(from, 36)
    found.delete(line)
    found.set(line, { status: Number(status), from: began, to: began + Number.parseInt(took, 36), nonce, hmac })
  }
  return [...found.values()].slice(-MOST)
}
