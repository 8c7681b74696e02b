import { hmacOf, isSameHmac } from '../attestation/hmac.ts'

/** The variable in which an approval goes down to who was started with it. */
export const APPROVAL_VARIABLE = 'SIGNALBOX_APPROVAL'

/** What the orchestrator lets the processes below it do: one task, in one project, for a while. */
export interface Approval {
  readonly id: string
  /** the project, as it really is */
  readonly root: string
  /** digest of what is to be done */
  readonly task: string
  /** false: it is a question, which may pass lifted gates and is approved for nothing */
  readonly approves: boolean
  /** names or ids of gates that it lifts, where they yield */
  readonly gates: readonly string[]
  /** all that it may change, from the root on; absent: whatever the policy permits */
  readonly may?: readonly string[] | undefined
  readonly from: number
  readonly until: number
  /** the process that minted it, and when that began */
  readonly pid: number
  readonly born: string
  /** of which numbers of processes that is one: a container has its own, and can give any */
  readonly world: string
}

/** It says by itself what it is, so that wherever it is printed it is known and hidden (`store/secrets`). */
const MARK = 'sbapproval_'
const KIND = 'signalbox approval 2'
const TOKEN = /^sbapproval_([\w-]{1,8000})\.([\w-]{22})$/

type Payload = readonly [
  ...(readonly [string, string, string, readonly string[], number, number, number, string, boolean, string]),
  readonly string[] | null,
]

export function signApproval(approval: Approval, key: Uint8Array): string {
  const { id, root, task, gates, from, until, pid, born, approves, world, may = null } = approval
  const payload: Payload = [id, root, task, gates, from, until, pid, born, approves, world, may]
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${MARK}${text}.${hmacOf([KIND, ...payload], key)}`
}

/** What a token says, if it is one of ours and nobody has touched it. */
export function verifyApprovalToken(token: string, key: Uint8Array): Approval | undefined {
  const [, text, seal] = TOKEN.exec(token) ?? []
  if (text === undefined || seal === undefined) return undefined
  const payload = parse(Buffer.from(text, 'base64url').toString('utf8'))
  if (!payload || !isSameHmac(seal, hmacOf([KIND, ...payload], key))) return undefined
  const [id, root, task, gates, from, until, pid, born, approves, world, may] = payload
  return { id, root, task, gates, from, until, pid, born, approves, world, ...(may && { may }) }
}

function parse(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPayload(value) ? value : undefined
  } catch {
    return undefined
  }
}

const KINDS = [
  'string',
  'string',
  'string',
  'object',
  'number',
  'number',
  'number',
  'string',
  'boolean',
  'string',
  'object',
]

const isPayload = (value: unknown): value is Payload =>
  Array.isArray(value) &&
  value.length === KINDS.length &&
  value.every((part, at) => typeof part === KINDS[at]) &&
  isTexts(value[3]) &&
  (value[10] === null || isTexts(value[10]))

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(one => typeof one === 'string')
