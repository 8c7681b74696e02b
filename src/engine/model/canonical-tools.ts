import type { ActionKind } from './vocabulary.ts'

/** What a tool does, and the input field that names the object of its action. */
type ToolAction = readonly [ActionKind, field?: string]

const TOOLS: Readonly<Record<string, ToolAction>> = {
  read: ['read', 'file_path'],
  readmanyfiles: ['read', 'include'],
  readmcpresourcetool: ['read', 'uri'],
  lsp: ['read'],
  write: ['write', 'file_path'],
  edit: ['write', 'file_path'],
  multiedit: ['write', 'file_path'],
  notebookedit: ['write', 'notebook_path'],
  delete: ['delete', 'file_path'],
  glob: ['search', 'path'],
  grep: ['search', 'path'],
  ls: ['search', 'path'],
  websearch: ['search'],
  webfetch: ['fetch', 'url'],
  agent: ['spawn', 'subagent_type'],
  sendmessage: ['spawn', 'to'],
  askuserquestion: ['ask'],
}

const COORDINATE = [
  ...['todowrite', 'taskcreate', 'taskget', 'tasklist', 'taskupdate', 'taskoutput', 'taskstop', 'listagents'],
  ...['enterplanmode', 'exitplanmode', 'toolsearch', 'completetask'],
]

/** Canonical tools by lower-case name. Tools in `shells` do whatever their shell line does. */
export const canonicalTools: {
  readonly shells: ReadonlySet<string>
  readonly actions: ReadonlyMap<string, ToolAction>
} = {
  shells: new Set(['bash', 'powershell', 'monitor']),
  actions: new Map([
    ...Object.entries(TOOLS),
    ...COORDINATE.map((name): [string, ToolAction] => [name, ['coordinate']]),
  ]),
}

/** Does the tool run a shell line? */
export const isShell = (tool: string): boolean => canonicalTools.shells.has(tool.toLowerCase())
