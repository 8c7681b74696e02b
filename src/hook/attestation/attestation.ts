import { hmacOf } from './hmac.ts'

/** The word of `signalbox run` on a command that has ended, but for the command itself: that is only under the seal. */
export interface Attestation {
  /** as a shell tells it: 128 and the number of the signal that ended it */
  readonly status: number
  /** when it began and ended, in milliseconds since 1970 */
  readonly from: number
  readonly to: number
  /** used once */
  readonly nonce: string
  readonly seal: string
}

/** What the seal holds together. */
export interface SignedFields extends Omit<Attestation, 'seal'> {
  readonly argv: readonly string[]
  /** the real path */
  readonly cwd: string
}

/** 128 bits: the line has to fit into 80 columns, since a terminal that wraps it would break it. */
export const attestationHmac = ({ argv, cwd, status, from, to, nonce }: SignedFields, key: Uint8Array): string =>
  hmacOf(['signalbox run 1', argv, cwd, status, from, to, nonce], key)

/** Plain signs only: it is found in a payload as that came, whatever the client wraps it into. */
export function formatAttestation(sealed: SignedFields, key: Uint8Array): string {
  const { status, from, to, nonce } = sealed
  return `signalbox run: exit ${status} [${from.toString(36)}.${(to - from).toString(36)}.${nonce}.${attestationHmac(sealed, key)}]`
}

const LINE = /signalbox run: exit (\d{1,3}) \[([0-9a-z]{1,10})\.([0-9a-z]{1,10})\.([0-9a-f]{8})\.([\w-]{22})\]/g
const MOST = 64

/** The last lines of this form, each once: a client may tell an output twice. Whether they are true the seal has to tell. */
export function findAttestations(text: string): readonly Attestation[] {
  if (!text.includes('signalbox run: exit ')) return []
  const found = new Map<string, Attestation>()
  for (const [line, status, from = '', took = '', nonce = '', seal = ''] of text.matchAll(LINE)) {
    const began = Number.parseInt(from, 36)
    found.delete(line)
    found.set(line, { status: Number(status), from: began, to: began + Number.parseInt(took, 36), nonce, seal })
  }
  return [...found.values()].slice(-MOST)
}
