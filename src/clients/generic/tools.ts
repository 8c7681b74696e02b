import type { Json, JsonObject } from '../../lib/json.ts'
import { findUrls, stringField } from '../adapter/decode.ts'

const namesFor = (canonical: string, names: string): readonly (readonly [string, string])[] =>
  names.split(' ').map(name => [name, canonical])

/** The protocol uses Claude Code's tool names of its time. Home-made agents often name their tools as well-known agents do. */
export const toolNames: Readonly<Record<string, string>> = Object.fromEntries([
  ...namesFor('Agent', 'Task invoke_agent spawn_agent'),
  ...namesFor('ApplyPatch', 'apply_patch'),
  ...namesFor('AskUserQuestion', 'ask_followup_question ask_user ask_user_question'),
  ...namesFor('Bash', 'exec_command execute_bash execute_command run_command run_in_terminal run_shell_command'),
  ...namesFor('Bash', 'run_terminal_cmd'),
  ...namesFor('Delete', 'delete_file remove_file'),
  ...namesFor('Edit', 'apply_diff edit_file insert_edit_into_file replace replace_in_file replace_string_in_file'),
  ...namesFor('Edit', 'search_replace str_replace_based_edit_tool str_replace_editor StrReplace write_code'),
  ...namesFor('Glob', 'file_search glob_search'),
  ...namesFor('Grep', 'grep_search search_file_content search_files'),
  ...namesFor('LS', 'list_dir list_directory list_files'),
  ...namesFor('MultiEdit', 'multi_edit'),
  ...namesFor('NotebookEdit', 'edit_notebook notebook_edit'),
  ...namesFor('Read', 'fs_read read_code read_file'),
  ...namesFor('ReadManyFiles', 'read_many_files'),
  ...namesFor('SendMessage', 'resume_agent send_message'),
  ...namesFor('TodoWrite', 'todo_write update_plan update_todo write_todos'),
  ...namesFor('WebFetch', 'fetch_url fetch_webpage web_fetch'),
  ...namesFor('WebSearch', 'google_web_search web_search'),
  ...namesFor('Write', 'create_file fs_write save_file write_file write_to_file'),
])

/** Ambiguous names: they are translated only if the input has the required field. */
const AMBIGUOUS_NAMES: Readonly<Record<string, readonly [canonical: string, field: string]>> = {
  create: ['Write', 'file_path'],
  fetch: ['WebFetch', 'url'],
  shell: ['Bash', 'command'],
  terminal: ['Bash', 'command'],
  view: ['Read', 'file_path'],
}

/** Canonical tools by lower-case name: `bash` is `Bash`, `webfetch` is `WebFetch`. */
const CANONICAL_BY_LOWER_NAME: ReadonlyMap<string, string> = new Map(
  [...Object.values(toolNames), 'Monitor', 'PowerShell'].map(name => [name.toLowerCase(), name]),
)

const TOOL_BY_LOWER_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(toolNames).map(([own, canonical]) => [own.toLowerCase(), canonical]),
)

export function canonicalTool(native: string, input: JsonObject): string {
  const name = native.toLowerCase()
  const tool = TOOL_BY_LOWER_NAME.get(name) ?? CANONICAL_BY_LOWER_NAME.get(name)
  if (tool === 'Edit' && name.startsWith('str_replace_') && stringField(input, 'command') === 'view') return 'Read'
  if (tool !== undefined) return tool
  const [canonical, field] = (Object.hasOwn(AMBIGUOUS_NAMES, name) && AMBIGUOUS_NAMES[name]) || []
  return canonical !== undefined && field !== undefined && field in canonicalInput(canonical, input)
    ? canonical
    : native
}

const FILE_FIELD_NAMES =
  'path filePath file filename fileName absolute_path absolutePath target_file targetFile relative_path'
const FOLDER_FIELD_NAMES = 'dir_path directory dir folder relative_workspace_path'

/** By canonical tool: the canonical field, and other names for it. */
const FIELD_BY_TOOL: Readonly<Record<string, readonly [field: string, names: string]>> = {
  Agent: ['subagent_type', 'agent_name agent_type agent agentName'],
  ApplyPatch: ['patch', 'patchText patch_text input command diff'],
  Bash: ['command', 'cmd command_line commandLine script'],
  Delete: ['file_path', FILE_FIELD_NAMES],
  Edit: ['file_path', FILE_FIELD_NAMES],
  Glob: ['path', FOLDER_FIELD_NAMES],
  Grep: ['path', FOLDER_FIELD_NAMES],
  LS: ['path', FOLDER_FIELD_NAMES],
  MultiEdit: ['file_path', FILE_FIELD_NAMES],
  NotebookEdit: ['notebook_path', `file_path ${FILE_FIELD_NAMES} target_notebook`],
  Read: ['file_path', FILE_FIELD_NAMES],
  ReadManyFiles: ['include', 'paths files'],
  SendMessage: ['to', 'agent_name agent id'],
  WebFetch: ['url', 'urls uri link'],
  Write: ['file_path', FILE_FIELD_NAMES],
}

/** Adds the canonical field name; the agent's own fields stay, for `input:` conditions. */
export function canonicalInput(tool: string, input: JsonObject): JsonObject {
  const [field, names] = (Object.hasOwn(FIELD_BY_TOOL, tool) && FIELD_BY_TOOL[tool]) || []
  if (field === undefined || names === undefined || input[field] !== undefined) return input
  const own = names.split(' ').find(name => input[name] !== undefined)
  if (own !== undefined) return { ...input, [field]: input[own] as Json }
  return tool === 'WebFetch' ? { ...input, ...extractUrls(input) } : input
}

/** Some tools extract their URLs from a sentence. */
function extractUrls(input: JsonObject): JsonObject {
  const [only, ...more] = findUrls(stringField(input, 'prompt') ?? stringField(input, 'query') ?? '')
  return only === undefined ? {} : { url: more.length === 0 ? only : [only, ...more] }
}
