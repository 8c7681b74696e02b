import type { Action, Event, SubHookReply, ToolCall } from '../../engine/index.ts'
import {
  matchPathRef,
  namesChange,
  type PathPattern,
  type PathRef,
  parsePath,
  programName,
  wordsOfToolName,
} from '../../engine/index.ts'
import { MAX_MCP_FILES } from '../facts/mcp-actions.ts'
import { isTemporaryPath } from '../facts/project-scope.ts'

interface Ground {
  readonly root: string
  readonly home: string
}

/**
 * A step of a workflow changes what it names, and nothing else. What a call is known to write or delete must be among that, and so must
 * what it names to a tool that nobody has described, unless its name says that it reads. What cannot be read could be anything, and so could a command that runs in another folder. What a program writes by itself is looked at when
 * the step has ended.
 */
export function workflowStepViolation(event: Event, may: readonly string[], ground: Ground): SubHookReply | undefined {
  if (event.kind !== 'tool.before' && event.kind !== 'permission.request') return undefined
  const patterns = may.map(one => parsePath(one, ground))
  const unnamed = event.call && unnamedFiles(event.call)
  if (unnamed !== undefined) return denied(may, unnamed)
  let program = ''
  for (const act of event.call?.acts ?? []) {
    // a command stands in front of what it does
    if (act.action === 'run') program = programName(act.words?.[0]?.text ?? '')
    const problem = problemOf(act, program, patterns, ground)
    if (problem !== undefined) return denied(may, problem)
  }
  return undefined
}

function denied(may: readonly string[], problem: string): SubHookReply {
  const list = may.length > 0 ? `only ${may.join(', ')}` : 'nothing'
  const reason = `This step of the workflow may change ${list}: ${problem}. Do the step without it.`
  return { from: 'workflow step', verdict: { decision: 'deny', reason } }
}

function problemOf(act: Action, program: string, may: readonly PathPattern[], { root }: Ground): string | undefined {
  if (act.opaque) return 'what this call changes cannot be read'
  if (act.action === 'run') return act.elsewhere === true ? 'this command runs outside of the project' : undefined
  const { place } = isUndescribed(act) ? asWritten(act) : act
  if (isUndescribed(act) ? !place : act.action !== 'write' && act.action !== 'delete') return undefined
  if (!place || place.lexical === null) return 'which file this call changes cannot be determined'
  const { lexical, real = lexical } = place
  if ([lexical, real].every(path => !isBelow(path, root) && isTemporaryPath(path))) return undefined
  if (matchPathRef(may, place, { tree: act.action === 'delete', reading: 'all', fill: text => text }) === 'true')
    return undefined
  if (program === 'mkdir' && leadsTo(place, may)) return undefined
  return `not \`${isBelow(lexical, root) ? lexical.slice(root.length + 1) || '.' : lexical}\``
}

/** Tools of servers, and others that nobody knows: one that by its name only reads has no place, or is a `read`. */
const isUndescribed = ({ action }: Action): boolean => action === 'mcp' || action === 'other'

/** By its name a tool of a server changes files, and not all of them are known. */
function unnamedFiles({ tool, acts }: ToolCall): string | undefined {
  const named = acts.filter(act => isUndescribed(act) && act.place).length
  if (named >= MAX_MCP_FILES) return 'this call names too many files'
  const words = wordsOfToolName(tool)
  const isOfFiles = /^mcp_/i.test(tool) && namesChange(words) && words.some(word => FILES.test(word))
  return isOfFiles && acts.every(act => !act.place) ? 'which file this call changes cannot be determined' : undefined
}

const FILES = /^(file|folder|dir|directory|path)s?$|^directories$/

/** It may be relative to a folder of the server's own. The look at the end of the step is for that. */
const asWritten = ({ place }: Action): { place?: PathRef } => (place ? { place: { ...place, strays: false } } : {})

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** A folder on the way to what may be written. */
const leadsTo = ({ lexical, real }: PathRef, may: readonly PathPattern[]): boolean =>
  [lexical, real ?? lexical].every(
    folder => folder !== null && may.some(({ glob }) => (glob.split(/[*?{[]/, 1)[0] ?? '').startsWith(`${folder}/`)),
  )
