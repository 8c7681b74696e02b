import type { Json, JsonObject } from '../../pattern/index.ts'
import { urlsIn } from '../urls.ts'
import { text } from '../wire.ts'

const named = (canonical: string, names: string): readonly (readonly [string, string])[] =>
  names.split(' ').map(name => [name, canonical])

/** The protocol uses Claude Code's names, of its time. Agents made at home have tools like those of agents that are well known. */
export const toolNames: Readonly<Record<string, string>> = Object.fromEntries([
  ...named('Agent', 'Task invoke_agent spawn_agent'),
  ...named('ApplyPatch', 'apply_patch'),
  ...named('AskUserQuestion', 'ask_followup_question ask_user ask_user_question'),
  ...named('Bash', 'exec_command execute_bash execute_command run_command run_in_terminal run_shell_command'),
  ...named('Bash', 'run_terminal_cmd'),
  ...named('Delete', 'delete_file remove_file'),
  ...named('Edit', 'apply_diff edit_file insert_edit_into_file replace replace_in_file replace_string_in_file'),
  ...named('Edit', 'search_replace str_replace_based_edit_tool str_replace_editor StrReplace write_code'),
  ...named('Glob', 'file_search glob_search'),
  ...named('Grep', 'grep_search search_file_content search_files'),
  ...named('LS', 'list_dir list_directory list_files'),
  ...named('MultiEdit', 'multi_edit'),
  ...named('NotebookEdit', 'edit_notebook notebook_edit'),
  ...named('Read', 'fs_read read_code read_file'),
  ...named('ReadManyFiles', 'read_many_files'),
  ...named('SendMessage', 'resume_agent send_message'),
  ...named('TodoWrite', 'todo_write update_plan update_todo write_todos'),
  ...named('WebFetch', 'fetch_url fetch_webpage web_fetch'),
  ...named('WebSearch', 'google_web_search web_search'),
  ...named('Write', 'create_file fs_write save_file write_file write_to_file'),
])

/** Words that could be any agent's name for anything: they mean this where the input has what it takes. */
const SHORT: Readonly<Record<string, readonly [canonical: string, field: string]>> = {
  create: ['Write', 'file_path'],
  fetch: ['WebFetch', 'url'],
  shell: ['Bash', 'command'],
  terminal: ['Bash', 'command'],
  view: ['Read', 'file_path'],
}

/** Canonical tools by their names in any case: `bash` is `Bash`, `webfetch` is `WebFetch`. */
const CANONICAL: ReadonlyMap<string, string> = new Map(
  [...Object.values(toolNames), 'Monitor', 'PowerShell'].map(name => [name.toLowerCase(), name]),
)

const LOWER: ReadonlyMap<string, string> = new Map(
  Object.entries(toolNames).map(([own, canonical]) => [own.toLowerCase(), canonical]),
)

export function canonicalTool(native: string, input: JsonObject): string {
  const name = native.toLowerCase()
  const tool = LOWER.get(name) ?? CANONICAL.get(name)
  if (tool === 'Edit' && name.startsWith('str_replace_') && text(input, 'command') === 'view') return 'Read'
  if (tool !== undefined) return tool
  const [canonical, field] = (Object.hasOwn(SHORT, name) && SHORT[name]) || []
  return canonical !== undefined && field !== undefined && field in canonicalInput(canonical, input)
    ? canonical
    : native
}

const FILE = 'path filePath file filename fileName absolute_path absolutePath target_file targetFile relative_path'
const FOLDER = 'dir_path directory dir folder relative_workspace_path'

/** The canonical field, and the names others have for it, by canonical tool. */
const FIELDS: Readonly<Record<string, readonly [field: string, names: string]>> = {
  Agent: ['subagent_type', 'agent_name agent_type agent agentName'],
  ApplyPatch: ['patch', 'patchText patch_text input command diff'],
  Bash: ['command', 'cmd command_line commandLine script'],
  Delete: ['file_path', FILE],
  Edit: ['file_path', FILE],
  Glob: ['path', FOLDER],
  Grep: ['path', FOLDER],
  LS: ['path', FOLDER],
  MultiEdit: ['file_path', FILE],
  NotebookEdit: ['notebook_path', `file_path ${FILE} target_notebook`],
  Read: ['file_path', FILE],
  ReadManyFiles: ['include', 'paths files'],
  SendMessage: ['to', 'agent_name agent id'],
  WebFetch: ['url', 'urls uri link'],
  Write: ['file_path', FILE],
}

/** The input under canonical names too; the agent's own fields stay, for `input:` conditions. */
export function canonicalInput(tool: string, input: JsonObject): JsonObject {
  const [field, names] = (Object.hasOwn(FIELDS, tool) && FIELDS[tool]) || []
  if (field === undefined || names === undefined || input[field] !== undefined) return input
  const own = names.split(' ').find(name => input[name] !== undefined)
  if (own !== undefined) return { ...input, [field]: input[own] as Json }
  return tool === 'WebFetch' ? { ...input, ...fetched(input) } : input
}

/** Some take their URLs out of a sentence. */
function fetched(input: JsonObject): JsonObject {
  const [only, ...more] = urlsIn(text(input, 'prompt') ?? text(input, 'query') ?? '')
  return only === undefined ? {} : { url: more.length === 0 ? only : [only, ...more] }
}
