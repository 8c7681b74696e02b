import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { withInProcessSandbox } from '../support/in-process-sandbox.ts'

/** A policy that refuses whatever it cannot read: the strictest that a person writes. */
const POLICY = `gates:
  strict:
    rules:
      - { id: git, when: { event: tool.before, command: [git commit, git push] }, unsure: deny, then: deny, message: Not today. }
`

/** Calls that read, list, search, fetch, plan, think or ask, in the words of agents whose tools nobody has described here. */
const HARMLESS: Readonly<Record<string, readonly (readonly [tool: string, input: JsonObject])[]>> = {
  Grok: [
    ['view_file', { path: 'src/a.ts', start_line: 1, end_line: 20 }],
    ['list_dir', { target_directory: '.' }],
    ['grep', { pattern: 'git push', path: 'src' }],
    ['search', { query: 'rm -rf', search_type: 'text', include_pattern: '*.ts' }],
    ['todo_list', { todos: [{ id: '1', content: 'git commit', status: 'pending' }] }],
    ['web_search', { query: 'how to undo git push' }],
  ],
  'VS Code': [
    ['read_file', { filePath: '/home/dev/proj/src/a.ts', startLine: 1, endLine: 20 }],
    ['list_dir', { path: '/home/dev/proj' }],
    ['file_search', { query: '**/*.ts', maxResults: 20 }],
    ['grep_search', { query: 'git commit', isRegexp: false, includePattern: 'src/**' }],
    ['semantic_search', { query: 'where is git push called' }],
    ['get_errors', { filePaths: ['/home/dev/proj/src/a.ts'] }],
    ['get_changed_files', { repositoryPath: '/home/dev/proj', sourceControlState: ['staged', 'unstaged'] }],
    ['list_code_usages', { symbolName: 'commit', filePaths: ['src/a.ts'] }],
    ['get_terminal_output', { id: 'abc' }],
    ['fetch_webpage', { urls: ['https://example.com/'], query: 'git push' }],
    ['manage_todo_list', { operation: 'write', todoList: [{ id: 1, title: 'push', status: 'not-started' }] }],
    ['get_vscode_api', { query: 'workspace.fs.delete' }],
    ['test_search', { filePaths: ['src/a.ts'] }],
  ],
  Cline: [
    ['read_file', { path: 'src/a.ts' }],
    ['list_files', { path: '.', recursive: 'true' }],
    ['search_files', { path: '.', regex: 'git push', file_pattern: '*.ts' }],
    ['list_code_definition_names', { path: 'src' }],
    ['ask_followup_question', { question: 'May I git push?', options: '["Yes","No"]' }],
    ['plan_mode_respond', { response: 'First git commit, then git push.' }],
    ['attempt_completion', { result: 'The tests pass.' }],
    ['web_fetch', { url: 'https://example.com/', prompt: 'summarise' }],
  ],
  Zed: [
    ['read_file', { path: 'proj/src/a.ts' }],
    ['list_directory', { path: 'proj' }],
    ['find_path', { glob: '**/*.ts', offset: 0 }],
    ['grep', { regex: 'git commit', include_pattern: '**/*.ts' }],
    ['diagnostics', { path: 'proj/src/a.ts' }],
    ['thinking', { content: 'Then git push.' }],
    ['now', { timezone: 'utc' }],
    ['fetch', { url: 'https://example.com/' }],
  ],
  Goose: [
    ['developer__list_windows', {}],
    ['todo__todo_read', {}],
    ['analyze', { path: '/home/dev/proj/src', max_depth: 2 }],
    ['search_available_extensions', {}],
    ['tree', { path: '/home/dev/proj', depth: 2 }],
    ['chatrecall', { query: 'git push' }],
  ],
  Amp: [
    ['Read', { path: '/home/dev/proj/src/a.ts', read_range: [1, 20] }],
    ['glob', { filePattern: '**/*.ts' }],
    ['finder', { query: 'who calls git push' }],
    ['oracle', { task: 'review', context: 'git commit came before', files: ['src/a.ts'] }],
    ['librarian', { query: 'git commit' }],
    ['read_web_page', { url: 'https://example.com/' }],
    ['todo_read', {}],
    ['look_at', { path: '/home/dev/proj/a.png', objective: 'describe it' }],
  ],
  Kiro: [
    ['fs_read', { operations: [{ mode: 'Line', path: '/home/dev/proj/src/a.ts', start_line: 1 }] }],
    ['readFile', { path: 'src/a.ts', explanation: 'to see' }],
    ['listDirectory', { path: '.', depth: 2 }],
    ['fileSearch', { query: 'settings.json' }],
    ['grepSearch', { query: 'git push', includePattern: '**/*.ts' }],
    ['getDiagnostics', { paths: ['src/a.ts'] }],
    ['introspect', { query: 'how do hooks work' }],
    ['thinking', { thought: 'rm -rf .claude would be wrong' }],
    ['userInput', { question: 'Shall I go on?', reason: 'spec' }],
  ],
  'what others call it': [
    ['str_replace_editor', { command: 'view', path: '.claude/settings.json', security_risk: 'LOW' }],
    ['str_replace_based_edit_tool', { command: 'view', path: 'src/a.ts', view_range: [1, 5] }],
    ['expand_folder', { folder_path: '.claude' }],
    ['expand_code_chunks', { file_path: 'signalbox.yaml', patterns: ['gates'] }],
    ['oracle', { task: 'explain git push', files: ['.claude/settings.json'] }],
    ['handoff', { goal: 'git push origin main, after reading it', files: ['signalbox.yaml'] }],
    ['github_repo', { repo: 'a/b', query: 'git push origin main' }],
    ['sourcegraph', { query: 'git push origin main', count: 5 }],
    ['search-untruncated', { reference_id: '1', search_term: 'git push origin main' }],
    ['search_project', { search_term: 'rm -rf .claude', file_path: 'src/a.ts' }],
    ['search_codebase', { information_request: 'git push origin main', target_directories: ['src'] }],
    ['knowledge', { command: 'search', query: 'git push origin main' }],
    ['todo_list', { command: 'create', tasks: ['git push origin main'], todo_list_description: 'x' }],
    ['todo__write', { content: '- [ ] git push origin main' }],
    ['userInput', { question: 'git push origin main?', options: [{ description: 'git push origin main' }] }],
    ['suggest_followups', { followups: [{ prompt: 'git push origin main', label: 'x' }] }],
    ['get_run_configurations', {}],
    ['task_tracker', { command: 'plan', task_list: [{ id: '1', title: 'git push', status: 'todo' }] }],
  ],
  'a line that is looked for, asked about or typed into a page': [
    ['rg', { pattern: 'git push', path: 'src' }],
    ['ripgrep', { regex: 'git push', paths: ['.claude'] }],
    ['grep_content', { needle: 'git push', dir: 'src' }],
    ['ask_user', { question: 'May I run `git push origin main`?', choices: ['git push origin main', 'no'] }],
    ['request_user_input', { prompt: 'git push origin main?' }],
    ['confirm', { message: 'git push origin main?' }],
    ['elicit', { message: 'git push origin main?' }],
    ['poll', { question: 'git push?', options: ['git push', 'no'] }],
    ['display', { markdown: '```bash\ngit push\n```' }],
    ['shell_history', { query: 'git push' }],
    ['browser_type', { element: 'Search', ref: 'e2', text: 'git push', submit: true }],
    ['browser_fill_form', { fields: [{ name: 'q', type: 'textbox', value: 'git push' }] }],
    ['browser_wait_for', { text: 'git push' }],
    ['bash_output', { bash_id: 'a', filter: 'git push' }],
    ['mcp__git__git_status', { repo_path: '/home/dev/proj' }],
    ['mcp__git__git_log', { repo_path: '/home/dev/proj' }],
  ],
  'reading what is guarded': [
    ['read_file', { path: '.claude/settings.json' }],
    ['list_dir', { path: '.claude' }],
    ['grep_search', { query: 'hooks', path: '.claude' }],
    ['view_file', { path: 'signalbox.yaml' }],
    ['get_commit', { commit: 'abc' }],
    ['git_status', { repo_path: '/home/dev/proj' }],
    ['git_log', { repo: '.', max_count: 5 }],
    ['executeCommand', { command: 'editor.action.organizeImports', args: ['src/a.ts'] }],
  ],
}

/** Calls that change what is guarded, or commit, without a shell line or a path and a content in their input. */
const HARMFUL: readonly (readonly [tool: string, input: JsonObject])[] = [
  ['executeCommand', { command: 'workbench.action.files.delete', args: ['.claude/settings.json'] }],
  ['executeCommand', { command: 'vscode.open', arguments: [{ path: '.claude/settings.json' }] }],
  ['executeCommand', { id: 'files.delete', args: ['.claude/settings.json'] }],
  ['run_vscode_command', { commandId: 'deleteFile', args: ['~/.claude/settings.json'] }],
  ['vscode_command', { command: 'moveFileToTrash', arguments: '.claude' }],
  ['runner', { tasks: ['npm test', 'git push origin main'] }],
  ['run_configurations', {}],
  ['find_and_edit', { dir: '.claude' }],
  ['find_and_edit', { directory: '.claude', glob: '*.json', edit: 'x' }],
  ['search_and_replace', { folder: '.claude', pattern: '*.json' }],
  ['frob', { path: '.claude' }],
  ['code_mode', { code: 'x' }],
  ['code_mode', { code: 'await tools.shell("git commit")' }],
  ['vcs', { verb: 'commit' }],
  ['scm', { op: 'push' }],
  ['version_control', { do: 'commit' }],
  ['report_progress', { commitMessage: 'x', prDescription: 'y' }],
  ['report_progress', { commit: true, message: 'x' }],
  ['report_progress', { verb: 'commit' }],
  // a program that the tool's name or another field names
  ['tmux_command', { command: 'send-keys -t 0 "git push" Enter' }],
  ['run_git', { args: ['push'] }],
  ['git_cli', { command: 'push' }],
  ['frob', { argv0: 'git', argv: ['push'] }],
  ['frob', { cmd: 'git', argv: ['push'] }],
  ['frob', { command: 'git', commands: ['push'] }],
  ['frob', { path: '/usr/bin/git', args: ['push'] }],
  ['spawn', { cmd: 'git', argv: ['push'] }],
  // words as numbered fields, lines as keys, words that are joined without quotes
  ['frob', { 0: 'git', 1: 'push' }],
  ['frob', { 'git push': true }],
  ['frob', { command: ['ls', ';', 'git', 'push'] }],
  ['execute_cell', { cell: { source: ['!git push'] } }],
  ['Task', { command: 'git push' }],
  ['frob', { text: '$ git push' }],
  ['frob', { line: 'sudo -u x git push' }],
  ['frob', { line: 'eval "git push"' }],
  // a server for git
  ['mcp__git__git_commit', { repo_path: '/home/dev/proj', message: 'x' }],
  ['mcp__git__git_push', { repo_path: '/home/dev/proj' }],
  ['mcp__git__commit', { message: 'x' }],
  // a pattern for files
  ['replace_all', { glob: '.claude/**', search: 'a', replacement: 'b' }],
  ['ToolSearch', { query: 'x', command: 'git commit -m x' }],
  ['Skill', { skill: 'x', command: 'rm -rf .claude' }],
  ['StructuredOutput', { command: ['rm', '-rf', '.claude'] }],
]

/** A policy about changes in one folder. */
const EDITS = `gates:
  src:
    rules:
      - { id: edits, when: { event: tool.before, action: [write, delete], path: src/** }, unsure: deny, then: deny, message: Not there. }
`

/** Calls that change a file, by a word of the tool's name or of a field. */
const CHANGES: readonly (readonly [tool: string, input: JsonObject])[] = [
  ['painter', { prompt: 'a cat', savePath: 'src/a.png' }],
  ['smartRelocate', { sourcePath: 'src/a.ts', destinationPath: 'b.ts' }],
  ['reformat_file', { path: 'src/a.ts' }],
  ['discard_changes', { paths: ['src/a.ts'] }],
  ['organize_imports', { path: 'src/a.ts' }],
  ['frob', { uri: 'vscode-remote://host/home/dev/proj/src/a.ts', newText: 'x' }],
]

/** Calls that only read there. */
const LOOKS: readonly (readonly [tool: string, input: JsonObject])[] = [
  ['view_file', { path: 'src/a.ts' }],
  ['str_replace_editor', { command: 'view', path: 'src/a.ts' }],
  ['read_file', { path: 'src/a.ts', content: '', offset: 0 }],
  ['oracle', { task: 'explain', files: ['src/a.ts'] }],
  ['frob', { path: 'docs/a.md' }],
]

describe.each(['claude-code', 'generic'])('%s', client => {
  const expectDenied = (calls: readonly (readonly [string, JsonObject])[], denied: boolean, project = POLICY) =>
    withInProcessSandbox({ project }, async sandbox => {
      for (const [tool, input] of calls) {
        const named = { tool_name: tool, tool_input: input, session_id: 's', cwd: '/home/dev/proj' }
        const event = client === 'generic' ? { event: 'tool.before' } : { hook_event_name: 'PreToolUse' }
        const { stdout } = await sandbox.hookInProcess(client, JSON.stringify({ ...event, ...named }))
        expect({ tool, input, denied: /"(?:deny|block|ask)"/.test(stdout) }).toEqual({ tool, input, denied })
      }
    })

  it.each(Object.entries(HARMLESS))('%s: a harmless call is not denied', (_, calls) => expectDenied(calls, false))

  it('a call that changes what is guarded, or commits, is denied', () => expectDenied(HARMFUL, true))

  it('a call that changes a file is denied where changes are', () => expectDenied(CHANGES, true, EDITS))

  it('a call that reads a file is not denied where changes are', () => expectDenied(LOOKS, false, EDITS))
})
