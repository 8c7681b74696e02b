import type { Finding } from './finding.ts'
import type { Step } from './step.ts'
import { stepWords } from './words.ts'

const ADVICE = /^(.*let `([\s\S]+)` pass) \(`unless`\)$/

/** Advice to let something pass, with the line of policy that does, as it would stand in this project; where there is no such line, in words. */
export function pasteable(finding: Finding, root: string): Finding {
  const refused = finding.story.map(line => line.step).filter(step => step.end === 'refused')
  const fix = finding.fix.map(one => {
    const [, said, what] = ADVICE.exec(one.advice) ?? []
    const step = refused.find(({ by, ...rest }) => [by, 'main'].some(who => stepWords({ ...rest, by: who }) === what))
    const parts = step && partsOf(step)
    const line = parts?.join(', ').replaceAll(`${root}/`, '')
    return line ? { ...one, advice: `${said}: \`unless: { ${line} }\`` } : one
  })
  return { ...finding, fix }
}

type Parts = readonly string[]

function partsOf({ by, call }: Step): Parts | undefined {
  if (!call || call.approved) return undefined
  const parts = typeof call.short.shell === 'string' ? commandOf(call) : objectOf(call.short)
  return parts && [...(by === 'main' || isMadeUp(by) ? [] : [`caller: ${yaml(by)}`]), ...parts]
}

/** One plain command: of a line that does more, each part would have to be exempt. */
function commandOf({ before }: NonNullable<Step['call']>): Parts | undefined {
  const [act, ...more] = before.call?.acts ?? []
  const words = act?.words?.map(word => word.text ?? '') ?? []
  const isPlain = more.length === 0 && words.length > 0 && words.every(word => /^[\w./:@=+-]+$/.test(word))
  return isPlain && act?.assigns === undefined && !words.some(isMadeUp)
    ? [`command: ${yaml(words.join(' '))}`]
    : undefined
}

const ACTIONS: Readonly<Record<string, readonly [action: string, object: string]>> = {
  write: ['write', 'path'],
  edit: ['write', 'path'],
  read: ['read', 'path'],
  delete: ['delete', 'path'],
  fetch: ['fetch', 'url'],
  spawn: ['spawn', 'agent'],
}

function objectOf(short: Readonly<Record<string, unknown>>): Parts | undefined {
  const entries = Object.entries(short)
  const [[key = '', value] = [], second] = entries
  const known = ACTIONS[key]
  if (known && !second) {
    const [action, object] = known
    return [`action: ${action}`, ...(isMadeUp(String(value)) ? [] : [`${object}: ${yaml(String(value))}`])]
  }
  const isTool = typeof short.tool === 'string' && entries.every(([one]) => one === 'tool' || one === 'path')
  return isTool && !entries.some(([, one]) => isMadeUp(String(one)))
    ? entries.map(([one, its]) => `${one}: ${yaml(String(its))}`)
    : undefined
}

/** `some.txt` stands for any file that the policy does not name. */
const isMadeUp = (text: string): boolean => /(^|\W|_)some[-._]|^SomeTool$/.test(text)

const yaml = (text: string): string =>
  /^[a-z_./][\w./+=@-]*( [\w./+=@:-]*\w)*$/i.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text)
