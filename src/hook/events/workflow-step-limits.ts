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

interface StepContext {
  readonly root: string
  readonly home: string
}

/**
 * A workflow step may change only the files it names. That covers every path that a call is known to write or delete, and every path given
 * to a tool without a description, unless the tool's name says that it reads. Opaque calls, and commands that run in another folder, are
 * denied. Files that a program writes by itself are checked when the step ends.
 */
export function workflowStepViolation(
  event: Event,
  may: readonly string[],
  context: StepContext,
): SubHookReply | undefined {
  if (event.kind !== 'tool.before' && event.kind !== 'permission.request') return undefined
  const patterns = may.map(text => parsePath(text, context))
  const unnamed = event.call && unnamedFiles(event.call)
  if (unnamed !== undefined) return denied(may, unnamed)
  let program = ''
  for (const action of event.call?.acts ?? []) {
    // a command precedes its own actions
    if (action.action === 'run') program = programName(action.words?.[0]?.text ?? '')
    const problem = problemOf(action, program, patterns, context)
    if (problem !== undefined) return denied(may, problem)
  }
  return undefined
}

function denied(may: readonly string[], problem: string): SubHookReply {
  const list = may.length > 0 ? `only ${may.join(', ')}` : 'nothing'
  const reason = `This step of the workflow may change ${list}: ${problem}. Do the step without it.`
  return { from: 'workflow step', verdict: { decision: 'deny', reason } }
}

function problemOf(
  action: Action,
  program: string,
  may: readonly PathPattern[],
  { root }: StepContext,
): string | undefined {
  if (action.opaque) return 'this call cannot be parsed, so its changes are unknown'
  if (action.action === 'run') return action.elsewhere === true ? 'this command runs outside the project' : undefined
  const { place } = isUndescribed(action) ? asWritten(action) : action
  if (isUndescribed(action) ? !place : action.action !== 'write' && action.action !== 'delete') return undefined
  if (!place || place.lexical === null) return 'which file this call changes cannot be determined'
  const { lexical, real = lexical } = place
  if ([lexical, real].every(path => !isBelow(path, root) && isTemporaryPath(path))) return undefined
  if (matchPathRef(may, place, { tree: action.action === 'delete', reading: 'all', fill: text => text }) === 'true')
    return undefined
  if (program === 'mkdir' && leadsTo(place, may)) return undefined
  return `not \`${isBelow(lexical, root) ? lexical.slice(root.length + 1) || '.' : lexical}\``
}

/** MCP tools, and tools without a description: a tool that only reads by its name has no path, or is a `read`. */
const isUndescribed = ({ action }: Action): boolean => action === 'mcp' || action === 'other'

/** The tool's name says that it changes files, and the call does not name all of them. */
function unnamedFiles({ tool, acts }: ToolCall): string | undefined {
  const named = acts.filter(action => isUndescribed(action) && action.place).length
  if (named >= MAX_MCP_FILES) return 'this call names too many files'
  const words = wordsOfToolName(tool)
  const isOfFiles = /^mcp_/i.test(tool) && namesChange(words) && words.some(word => FILES.test(word))
  return isOfFiles && acts.every(action => !action.place)
    ? 'which file this call changes cannot be determined'
    : undefined
}

const FILES = /^(file|folder|dir|directory|path)s?$|^directories$/

/** The path may be relative to a folder of the MCP server. The check at the end of the step covers that. */
const asWritten = ({ place }: Action): { place?: PathRef } => (place ? { place: { ...place, strays: false } } : {})

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** A parent folder of a path that may be written. */
const leadsTo = ({ lexical, real }: PathRef, may: readonly PathPattern[]): boolean =>
  [lexical, real ?? lexical].every(
    folder => folder !== null && may.some(({ glob }) => (glob.split(/[*?{[]/, 1)[0] ?? '').startsWith(`${folder}/`)),
  )
