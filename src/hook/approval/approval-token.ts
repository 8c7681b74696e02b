import { hmacOf, isSameHmac } from '../attestation/hmac.ts'

/** Environment variable that passes an approval to the processes of a task. */
export const APPROVAL_VARIABLE = 'SIGNALBOX_APPROVAL'

/** What the orchestrator permits its child processes: one task, in one project, for a limited time. */
export interface Approval {
  readonly id: string
  /** the real path of the project */
  readonly root: string
  /** digest of the task */
  readonly task: string
  /** false: the task is a question; gates are lifted for it, but rules do not see it as approved */
  readonly approves: boolean
  /** names or ids of gates that it lifts, if they yield */
  readonly gates: readonly string[]
  /** all files it may change, relative to the root; absent: whatever the policy permits */
  readonly may?: readonly string[] | undefined
  readonly from: number
  readonly until: number
  /** the process that created the token, and its start time */
  readonly pid: number
  readonly born: string
  /** pid namespace of that process: a container has its own process ids, and can choose any */
  readonly world: string
}

/** The prefix makes tokens recognizable wherever they are printed, so that they are masked (`store/secrets`). */
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

/** The approval in a token, if its signature is valid. */
export function verifyApprovalToken(token: string, key: Uint8Array): Approval | undefined {
  const [, text, signature] = TOKEN.exec(token) ?? []
  if (text === undefined || signature === undefined) return undefined
  const payload = parse(Buffer.from(text, 'base64url').toString('utf8'))
  if (!payload || !isSameHmac(signature, hmacOf([KIND, ...payload], key))) return undefined
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

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every(candidate => typeof candidate === 'string')
