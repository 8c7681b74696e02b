import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Client, clients } from '../../src/clients/index.ts'
import type { Action, Event } from '../../src/engine/index.ts'
import { toCommandLine } from '../../src/engine/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { withActions } from '../../src/hook/index.ts'
import { isObject, type Json, type JsonObject } from '../../src/lib/json.ts'
import { FIXTURES } from '../support/clients/payloads.ts'

const ground = { root: '/p', cwd: '/p', home: '/home/dev', shell: () => shell }

/** The client's own payload of a call, with this tool and input in place of the recorded ones. */
const payloadOf = ({ id }: Client, kind: 'tool.before' | 'tool.after', tool: string, input: Json): JsonObject => {
  const payload = FIXTURES[id]?.[kind] ?? {}
  const { input: given, output } = payload
  if (isObject(given) && kind === 'tool.before')
    return { ...payload, input: { ...given, tool }, output: { ...(isObject(output) ? output : {}), args: input } }
  if (isObject(given)) return { ...payload, input: { ...given, tool, args: input } }
  if ('toolName' in payload) return { ...payload, toolName: tool, toolArgs: input }
  return { ...payload, tool_name: tool, tool_input: input }
}

const read = (client: Client, tool: string, input: Json, kind: 'tool.before' | 'tool.after' = 'tool.before'): Event => {
  const event = client.decode(payloadOf(client, kind, tool, input), {}).find(one => one.call)
  if (!event) throw new Error('a payload of a call holds one')
  return withActions(event, ground)
}

const shown = ({ call }: Event): readonly string[] => (call?.acts ?? []).map(showAct)
const showAct = ({ action, words, place, url, opaque }: Action): string =>
  opaque ? 'unreadable' : `${action} ${words ? toCommandLine(words) : (place?.lexical ?? url ?? '')}`.trimEnd()

const PATCH = '*** Begin Patch\n*** Update File: a.ts\n+x\n*** End Patch'
const DIFF = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n'

/** As real agents call them (Grok, VS Code, Cline, Windsurf, Kiro), and names that no agent has. */
const SHAPES: readonly (readonly [tool: string, input: JsonObject, act: string])[] = [
  ['run_terminal_command', { command: 'git commit -m x' }, 'run git commit -m x'],
  ['run_in_terminal', { command: 'git commit', explanation: 'x', isBackground: false }, 'run git commit'],
  ['execute_command', { command: 'git commit', requires_approval: false }, 'run git commit'],
  ['run_command', { CommandLine: 'git commit', Cwd: '/p/b' }, 'run git commit'],
  ['frob', { cmd: 'git commit' }, 'run git commit'],
  ['frob', { shell_command: 'git commit' }, 'run git commit'],
  ['frob', { command: ['git', 'commit'] }, 'run git commit'],
  ['frob', { cmd: ['bash', '-lc', 'git commit'] }, 'run git commit'],
  ['frob', { command: 'git', args: ['commit', '-m', 'a b'] }, "run git commit -m 'a b'"],
  ['frob', { task: { type: 'shell', command: 'git', args: ['commit'] } }, 'run git commit'],
  ['frob', { commands: ['npm test', 'git commit -m x'] }, 'run git commit -m x'],
  ['frob', { code: 'git commit', language: 'bash' }, 'run git commit'],
  ['frob', { arguments: '{"command":"git commit"}' }, 'run git commit'],
  ['frob', { request: '<command>git commit</command>' }, 'run git commit'],
  ['frob', { payload: 'git commit -m x' }, 'run git commit -m x'],
  ['frob', { command: 'bash', stdin: 'git commit' }, 'run git commit'],
  ['terminal', { whatever: 'git commit' }, 'run git commit'],
  // how it makes one line of them nobody knows
  ['Bash', { command: ['git', 'commit'] }, 'unreadable'],
  ['Bash', { command: { line: 3 } }, 'unreadable'],
  ['search_replace', { file_path: 'a.ts', old_string: 'x', new_string: '' }, 'write /p/a.ts'],
  ['create_file', { filePath: '/p/a.ts', content: '' }, 'write /p/a.ts'],
  ['replace_string_in_file', { filePath: 'a.ts', oldString: 'x', newString: 'y' }, 'write /p/a.ts'],
  ['multi_replace_string_in_file', { replacements: [{ filePath: 'a.ts', newString: 'y' }] }, 'write /p/a.ts'],
  ['insert_edit_into_file', { filePath: 'a.ts', code: 'x' }, 'write /p/a.ts'],
  ['write_to_file', { TargetFile: 'a.ts', CodeContent: 'x' }, 'write /p/a.ts'],
  ['replace_in_file', { path: 'a.ts', diff: '<<<<<<< SEARCH\nx' }, 'write /p/a.ts'],
  ['frob', { uri: 'file:///p/a.ts', newText: 'x' }, 'write /p/a.ts'],
  ['frob', { file: { path: 'a.ts' }, edits: [{ newText: 'x' }] }, 'write /p/a.ts'],
  ['frob', { files: { 'src/a.ts': 'x' } }, 'write /p/src/a.ts'],
  ['frob', { name: 'a.ts', content: 'x' }, 'write /p/a.ts'],
  ['frob', { command: 'create', path: 'a.ts', file_text: 'x' }, 'write /p/a.ts'],
  ['frob', { operation: 'delete', path: 'a.ts' }, 'delete /p/a.ts'],
  ['remove_thing', { path: 'a.ts' }, 'delete /p/a.ts'],
  ['rename_thing', { old_path: 'a.ts', new_path: 'b.ts' }, 'delete /p/a.ts'],
  ['rename_thing', { source: 'a.ts', destination: 'b.ts' }, 'write /p/b.ts'],
  ['frob', { input: PATCH }, 'write /p/a.ts'],
  ['frob', { patch: DIFF }, 'write /p/a.ts'],
  ['fetch_webpage', { urls: ['https://a.io/x'], query: 'what' }, 'fetch https://a.io/x'],
  ['frob', { page: 'https://a.io/x' }, 'fetch https://a.io/x'],
  ['show_thing', { path: 'a.ts' }, 'read /p/a.ts'],
  ['search_and_show', { path: 'a.ts' }, 'read /p/a.ts'],
  ['execute_python', { code: 'x' }, 'unreadable'],
  ['write_bash', { shellId: '0', input: '!git commit{enter}' }, 'unreadable'],
  ['write_bash', { shellId: '0', input: 'git{space}commit{enter}' }, 'run git commit'],
  ['write_bash', { shellId: '0', input: 'git comx{backspace}mit{enter}' }, 'run git commit'],
  ['write_bash', { shellId: '0', input: 'git comxy\u007f\bmit\r' }, 'run git commit'],
  ['send_keys', { keys: 'git<Space>commit<CR>' }, 'run git commit'],
  ['overwrite_file_with_block', { text: 'a.ts\nx' }, 'write /p/a.ts'],
  ['create_file_with_block', { text: '\na.ts\nx = 1\n' }, 'write /p/a.ts'],
  ['generate_image', { prompt: 'a cat', path: 'a.png' }, 'write /p/a.png'],
  ['write_stdin', { session_id: 1, chars: 'git commit\n' }, 'run git commit'],
  ['send_to_terminal', { id: 'x', command: 'git commit' }, 'unreadable'],
  // code in another language, also where an MCP server runs it
  ['frob', { python: 'x' }, 'unreadable'],
  ['frob', { js: 'require("fs").rmSync("a")' }, 'unreadable'],
  ['frob', { lua: 'os.execute("x")' }, 'unreadable'],
  ['frob', { statements: ['import os', 'os.remove("a")'] }, 'unreadable'],
  ['frob', { cells: [{ source: 'import os; os.remove("a")' }] }, 'unreadable'],
  ['mcp__py__run', { code: 'import os; os.remove("a")' }, 'unreadable'],
  ['mcp__py__run', { code: 'x' }, 'unreadable'],
  ['mcp__py__execute', { script: 'print(1)' }, 'unreadable'],
  ['mcp__x__evaluate', { source: 'fs.rmSync("a")' }, 'unreadable'],
  ['mcp__x__frob', { python: 'open("a","w")' }, 'unreadable'],
  ['mcp__x__frob', { code: 'open("a","w").write("x")' }, 'unreadable'],
  ['mcp__ide__executeCode', { code: 'import os\nos.system("git push")' }, 'unreadable'],
  ['mcp__playwright__browser_run_code', { code: 'async (page) => {}' }, 'unreadable'],
  // a change that the input does not show
  ['install_extension', { id: 'ms-python.python', name: 'Python' }, 'unreadable'],
  ['create_new_jupyter_notebook', { query: 'load the data' }, 'unreadable'],
  ['create_new_workspace', { query: 'x' }, 'unreadable'],
  ['deploy_web_app', { Framework: 'nextjs', ProjectPath: '/p', Subdomain: 'x' }, 'unreadable'],
  ['use_aws', { service_name: 's3api', operation_name: 'delete-bucket', parameters: { bucket: 'x' } }, 'unreadable'],
  ['publish_package', { package: 'x' }, 'unreadable'],
  ['toggle_hooks', { enabled: false }, 'unreadable'],
  ['git_push', {}, 'unreadable'],
  ['push', { branch: 'main' }, 'unreadable'],
  ['build_project', {}, 'unreadable'],
  // a tool for a repository, by its verb
  ['vcs', { verb: 'commit' }, 'run git commit'],
  ['git_push', {}, 'run git push'],
  ['source_control', { action: 'commit', message: 'x' }, 'run git commit'],
  ['report_progress', { commitMessage: 'x', prDescription: 'y' }, 'run git commit'],
  ['code_mode', { code: 'x' }, 'unreadable'],
  ['executeCommand', { command: 'files.delete', args: ['src/a.ts'] }, 'other /p/src/a.ts'],
  ['mcp__git__commit', {}, 'run git commit'],
  // encoded: base64 with and without its URL-safe letters, hexadecimal, percent signs
  ['frob', { data: btoa('git commit') }, 'run git commit'],
  ['frob', { encoded: btoa('git commit'), encoding: 'base64' }, 'run git commit'],
  ['frob', { command: btoa('git commit') }, 'run git commit'],
  ['frob', { command: 'git%20commit' }, 'run git commit'],
  ['frob', { x: '6769742063 6f6d6d6974'.replace(' ', '') }, 'run git commit'],
  ['frob', { x: btoa(btoa('git commit -m x')) }, 'run git commit -m x'],
  ['frob', { x: btoa(JSON.stringify({ command: 'git commit' })) }, 'run git commit'],
  ['frob', { x: btoa(PATCH) }, 'write /p/a.ts'],
  ['frob', { x: Buffer.from('git commit -m "ä>?"').toString('base64url') }, "run git commit -m 'ä>?'"],
  ['frob', { url: btoa('https://a.io/x') }, 'fetch https://a.io/x'],
  ['mcp__x__exec', { command: btoa('git commit') }, 'run git commit'],
  // a short first line, tags with names
  ['frob', { lines: 'ls\ngit commit' }, 'run git commit'],
  ['frob', { text: 'pwd\ngit commit -m x\n' }, 'run git commit -m x'],
  ['frob', { xml: '<invoke name="Bash"><parameter name="command">git commit</parameter></invoke>' }, 'run git commit'],
  // what a program that does nothing by itself is given
  ['frob', { command: 'rm', path: 'a.ts' }, 'delete /p/a.ts'],
  ['frob', { cmd: 'touch', filePath: 'a.ts' }, 'write /p/a.ts'],
  ['clean', { dir: 'src' }, 'write /p/src'],
  // what is to be deleted, in a field that says so
  ...'remove removed delete deleted unlink trash rm deletions removeFiles filesToDelete deleted_paths'
    .split(' ')
    .flatMap((field): [string, JsonObject, string][] => [
      ['frob', { [field]: ['src/a'] }, 'delete /p/src/a'],
      ['frob', { [field]: 'src/a.ts' }, 'delete /p/src/a.ts'],
    ]),
  ['frob', { remove: { path: 'a.ts' } }, 'delete /p/a.ts'],
  ['frob', { ops: [{ delete: [{ file: 'a.ts' }] }] }, 'delete /p/a.ts'],
  ['frob', { path: 'a.ts', delete: true }, 'delete /p/a.ts'],
  ['apply', { changes: [{ path: 'b.ts', content: 'x' }], deleted: ['a.ts'] }, 'delete /p/a.ts'],
  ['fs', { remove: 'src' }, 'delete /p/src'],
  ['frob', { remove: ['src'] }, 'other /p/src'],
  ['Write', { file_path: 'b.ts', content: 'x', delete: ['a.ts'] }, 'delete /p/a.ts'],
  // pages in other forms
  ['frob', { link: '<https://a.io/x>' }, 'fetch https://a.io/x'],
  ['frob', { url: 'https:a.io/x' }, 'fetch https://a.io/x'],
  ['frob', { url: 'view-source:https://a.io/x' }, 'fetch https://a.io/x'],
  ['frob', { page: 'view-source:https://a.io/x' }, 'fetch https://a.io/x'],
  ...['https://b.io/ https://a.io/x', 'https://b.io/,https://a.io/x', 'https://b.io/\nhttps://a.io/x'].flatMap(
    (list): [string, JsonObject, string][] => [
      ['frob', { url: list }, 'fetch https://a.io/x'],
      ['frob', { urls: list }, 'fetch https://a.io/x'],
      ['frob', { page: list }, 'fetch https://a.io/x'],
      ['mcp__x__fetch', { url: list }, 'fetch https://a.io/x'],
    ],
  ),
  ['frob', { url: 'see https://a.io/x.' }, 'fetch https://a.io/x'],
  ['fetch', { request: 'Read (https://a.io/x), then stop.' }, 'fetch https://a.io/x'],
  ['browse', { prompt: 'What does https://a.io/x say?' }, 'fetch https://a.io/x'],
  ['browse', { address: 'a.io/x' }, 'fetch a.io/x'],
  ['open', { address: 'a.io/x' }, 'fetch a.io/x'],
  ['open_page', { page: 'a.io/x' }, 'fetch a.io/x'],
  ['fetch', { host: 'a.io', path: '/x' }, 'fetch a.io/x'],
  ['http_request', { hostname: 'a.io', route: 'x' }, 'fetch a.io/x'],
  ['frob', { base_url: 'https://a.io', path: '/x' }, 'fetch https://a.io/x'],
  ['mcp__x__browser_navigate', { url: 'view-source:https://a.io/x' }, 'fetch https://a.io/x'],
  ['mcp__x__fetch', { host: 'a.io', path: '/x' }, 'fetch a.io/x'],
]

const RM = 'rm -rf src'
const GONE = 'delete /p/src'

/** Inputs that are no objects, or hold what they hold in another form or under another name. */
const FORMS: readonly (readonly [tool: string, input: Json, act: string])[] = [
  ...[RM, ['rm', '-rf', 'src'], [RM], [{ command: RM }], JSON.stringify({ cmd: RM })].map(
    (input): [string, Json, string] => ['frob', input, GONE],
  ),
  ['frob', JSON.stringify(JSON.stringify({ command: RM })), GONE],
  ['frob', { arguments: RM }, GONE],
  ['frob', { arguments: ['rm', '-rf', 'src'] }, GONE],
  ['frob', { a: { b: { c: ['rm', '-rf', 'src'] } } }, GONE],
  ...'cmd script shell bash line argv cli commandString cmd_text command_to_run bashCode text data body code program task query message content'
    .split(' ')
    .map((field): [string, Json, string] => ['frob', { [field]: RM }, GONE]),
  ...'argv args commands lines steps run x'
    .split(' ')
    .map((field): [string, Json, string] => ['frob', { [field]: ['rm', '-rf', 'src'] }, GONE]),
  ...'commands scripts steps run script'
    .split(' ')
    .map((field): [string, Json, string] => ['frob', { [field]: ['ls', RM] }, GONE]),
  ['frob', { commands: [['ls'], ['rm', '-rf', 'src']] }, GONE],
  ['frob', { name: 'rm', args: ['-rf', 'src'] }, GONE],
  ['frob', { command: 'rm', options: ['-rf'], target: 'src' }, 'unreadable'],
  ['frob', { command: { how: 'so' } }, 'unreadable'],
  ['frob', { x: `true; ${RM}` }, GONE],
  ['frob', { x: `A=1 ${RM} # ${'x'.repeat(5000)}` }, GONE],
  ['frob', { x: './deploy.sh prod' }, 'run ./deploy.sh prod'],
  ['frob', { code: 'import shutil; shutil.rmtree("src")' }, 'unreadable'],
  ['frob', { content: 'x' }, 'unreadable'],
  ['git_commit', { message: 'x' }, 'unreadable'],
  ['git', { args: ['commit'] }, 'run git commit'],
  ['rm', ['src'], GONE],
  ['rm', 'src', GONE],
  ['delete_files', { items: ['src'] }, GONE],
  ['mv', ['b.ts', 'a.ts'], 'write /p/a.ts'],
  ['frob', { src: 'b.ts', dst: 'a.ts' }, 'write /p/a.ts'],
  ['frob', { from: 'b.ts', to: 'a.ts' }, 'write /p/a.ts'],
  ['frob', { output_path: 'a.ts' }, 'write /p/a.ts'],
  ['frob', { uri: 'a.ts', content: 'x' }, 'write /p/a.ts'],
  ['frob', { path: 'a.ts', payload: 'x' }, 'write /p/a.ts'],
  ['frob', { path: 'a.ts', code: 'x' }, 'write /p/a.ts'],
  ['frob', { path: 'a.ts', x: 'two\nlines' }, 'write /p/a.ts'],
  ['frob', { path: ['src', 'a.ts'], content: 'x' }, 'write /p/src/a.ts'],
  ['frob', { owner: 'a', repo: 'b', path: 'a.ts', content: 'x' }, 'write /p/a.ts'],
  ['frob', { path: 'a.ts' }, 'other /p/a.ts'],
  ['apply_patch', PATCH, 'write /p/a.ts'],
  ['frob', DIFF, 'write /p/a.ts'],
  ['http_get', 'https://a.io/x', 'fetch https://a.io/x'],
  ['python', 'import os', 'unreadable'],
  ['frob', { source: 'open("P","w")', language: 'python' }, 'unreadable'],
  ['frob', { src: 'x.unlink()', lang: 'py' }, 'unreadable'],
  // encoded, nobody reads it
  ['frob', { command_base64: 'cm0gLXJmIHNyYw==' }, 'unreadable'],
  ['frob', { b64Command: 'cm0gLXJmIHNyYw==' }, 'unreadable'],
  ['frob', { encoded_script: 'cm0gLXJmIHNyYw==' }, 'unreadable'],
  ['frob', { command: 'cm0gLXJmIHNyYw==', encoding: 'base64' }, 'unreadable'],
  ['frob', { cmdHex: '726d202d7266' }, 'unreadable'],
  ['Bash', { command: 'cm0gLXJmIHNyYw==', encoding: 'base64' }, 'unreadable'],
  ['frob', { path: 'a.ts', content_base64: 'eA==' }, 'write /p/a.ts'],
  ['frob', { path: 'a.ts', contentB64: 'eA==' }, 'write /p/a.ts'],
  ['frob', { path: 'a.ts', bytes: [120, 10] }, 'write /p/a.ts'],
  ['frob', { path: 'a.ts', data: { type: 'Buffer', data: [120] } }, 'write /p/a.ts'],
  // a program, and what it is to do, in fields of their own
  ['frob', { tool: 'git', subcommand: 'commit' }, 'run git commit'],
  ['git', { command: 'commit' }, 'run git commit'],
  ['git', { operation: 'commit', args: ['-m', 'x'] }, 'run git commit -m x'],
  ['npm', { action: 'publish' }, 'run npm publish'],
  ['terminal', { action: 'send_keys', keys: ['r', 'm', ' ', 'src', 'Enter'] }, 'unreadable'],
  ['fs', { method: 'writeFile', args: ['a.ts', 'x'] }, 'write /p/a.ts'],
  ['fs', { method: 'unlink', arguments: ['src'] }, GONE],
  ['delete_file_or_folder', { uri: 'src', is_recursive: true }, GONE],
  ['edit_file', { uri: 'src/a.ts', blocks: '<<<<<<< ORIGINAL' }, 'write /p/src/a.ts'],
  ['symlink', { target: '/etc', link: 'src/a.ts' }, 'write /p/src/a.ts'],
  ['call_tool', { server: 'x', tool: 'delete_file', args: { path: 'src' } }, GONE],
  ['dispatch', { fn: 'rm', params: ['src'] }, GONE],
  ['frob', { f: 'a.ts', t: 'two\nlines' }, 'write /p/a.ts'],
  ['run_cell', { code: `!${RM}` }, GONE],
  ['launch', { app: 'Terminal', args: [RM] }, GONE],
  ['xdotool', { args: ['type', RM] }, GONE],
  ['make', { target: 'deploy' }, 'run make deploy'],
  ['npm_run', { script: 'deploy' }, 'unreadable'],
  ['run', { command: 'git', action: 'push' }, 'unreadable'],
  ['render', { template: 't', out: 'a.ts' }, 'write /p/a.ts'],
  ['generate_image', { prompt: 'a cat', output: 'img/a.png' }, 'write /p/img/a.png'],
  ['browser_take_screenshot', { filename: 'a.png' }, 'write /p/a.png'],
  ['export_chat', { path: 'a.ts' }, 'write /p/a.ts'],
  ['Bash', RM, GONE],
  ['Bash', { command: '', cmd: RM }, GONE],
  ['Bash', { command: 'rm a.ts', dir: 'src' }, 'delete /p/src/a.ts'],
]

const COMMIT = 'run git commit'

/** A program, its words, a folder and a path in fields of any name, as keys, or as single keys on a keyboard. */
const APART: readonly (readonly [tool: string, input: JsonObject, act: string])[] = [
  ['frob', { entrypoint: ['git'], cmd: ['commit'] }, COMMIT],
  // a task of VS Code, whose words a shell reads without quotes
  ['frob', { task: { type: 'shell', command: 'echo', args: ['x', '>', 'src/a.ts'] } }, 'write /p/src/a.ts'],
  ['frob', { command: 'cd', args: ['src', '&&', 'git', 'commit'] }, COMMIT],
  ['search_and_swap', { path: 'src/a.ts' }, 'other /p/src/a.ts'],
  ['read_then_purge', { file: 'src/a.ts' }, 'other /p/src/a.ts'],
  ['frob', { entrypoint: 'git', cmd: 'commit' }, COMMIT],
  ['frob', { process: 'git', argument_list: ['commit'] }, COMMIT],
  ['frob', { command_name: 'git', command_line_arguments: ['commit'] }, COMMIT],
  ['frob', { programPath: 'git', cliArgs: ['commit'] }, COMMIT],
  ['frob', { command: 'git', tail: 'commit -m x' }, 'unreadable'],
  ['frob', { command: 'git', rest: 'commit' }, 'unreadable'],
  ['Bash', { command: 'git', tail: 'commit -m x' }, 'unreadable'],
  // a known program and its words, in fields whose names say nothing
  ['frob', { c: 'git', a: ['commit'] }, COMMIT],
  ['frob', { a: 'git', b: 'commit' }, COMMIT],
  ['frob', { b: 'commit', a: 'git' }, COMMIT],
  ['frob', { a: 'git', b: 'commit', c: '-m x' }, 'run git commit -m x'],
  ['frob', { c: 'git', d: '/srv', a: ['commit'] }, COMMIT],
  ['frob', { c: 'git', args: ['commit'] }, COMMIT],
  ['frob', { first: 'git', rest: ['commit'] }, COMMIT],
  ['frob', { what: 'git', how: 'commit' }, COMMIT],
  ['frob', { name: 'git', a: ['commit'] }, COMMIT],
  ['frob', { tool: 'git', a: 'commit' }, COMMIT],
  ['frob', { engine: 'git', doing: 'commit' }, COMMIT],
  ['frob', { x: '/usr/bin/git', y: ['commit'] }, 'run /usr/bin/git commit'],
  ['frob', { run: { c: 'git', a: ['commit'] } }, COMMIT],
  ['frob', { x: 'rm', flags: ['-rf', 'src'] }, GONE],
  ['frob', { which: 'rm', targets: ['-rf', 'src'] }, GONE],
  ['frob', { c: 'bash', a: ['-c', 'git commit'] }, COMMIT],
  ['frob', { program: 'git', a: ['commit'] }, 'unreadable'],
  ['frob', { value: 'commit -m x', program: 'git' }, 'unreadable'],
  ['frob', { executable: 'git', what: 'commit' }, 'unreadable'],
  ['source_control', { action: 'commit', message: 'x' }, 'unreadable'],
  ['commit', { message: 'x' }, 'unreadable'],
  ['git', { message: 'x' }, 'unreadable'],
  ['git', { action: 'commit', message: 'x' }, 'unreadable'],
  ['terminal', { keys: ['g', 'i', 't', ' ', 'c', 'Enter'] }, 'unreadable'],
  ['frob', { keystrokes: ['git', 'Space', 'commit', 'Enter'] }, 'unreadable'],
  ['remove_file', { id: 'src/a.ts' }, 'delete /p/src/a.ts'],
  ['frob', { 'src/a.ts': 'x' }, 'write /p/src/a.ts'],
  ['frob', { 'src/a.ts': { size: 1 } }, 'other /p/src/a.ts'],
  ['frob', { root: 'src', files: { 'a.ts': 'x' } }, 'write /p/src/a.ts'],
  ['frob', { project: 'src', edits: [{ path: 'a.ts', new_text: 'x' }] }, 'write /p/src/a.ts'],
  ['frob', { parts: ['src', 'a.ts'], content: 'x' }, 'write /p/src/a.ts'],
  ['frob', { folder: 'src', id: 'a.ts' }, 'other /p/src/a.ts'],
  ['frob', { where: 'src', names: ['a.ts'] }, 'other /p/src/a.ts'],
  ['frob', { id: 'src/a.ts' }, 'other /p/src/a.ts'],
  ['frob', { title: 'src/a.ts' }, 'other /p/src/a.ts'],
  ['frob', { x: [{ query: 'src/a.ts' }] }, 'other /p/src/a.ts'],
  ['open', { path: 'a.ts', mode: 'w' }, 'write /p/a.ts'],
  ['open_file', { path: 'a.ts', mode: 'r+' }, 'write /p/a.ts'],
  ['open_file', { path: 'a.ts', flags: 'O_RDWR' }, 'write /p/a.ts'],
  ['lint', { path: 'a.ts', fix: true }, 'write /p/a.ts'],
  ['read_and_fix', { path: 'a.ts' }, 'write /p/a.ts'],
  ...'location in project where dir folder workspace root workspace_root projectDir cwd whatever'
    .split(' ')
    .map((field): [string, JsonObject, string] => [
      'frob',
      { command: 'rm a.ts', [field]: './src' },
      'delete /p/src/a.ts',
    ]),
  ...'location in project where dir folder workspace root whatever'
    .split(' ')
    .map((field): [string, JsonObject, string] => [
      'Bash',
      { command: 'rm a.ts', [field]: './src' },
      'delete /p/src/a.ts',
    ]),
]

/** The same fields where they say nothing of this, with everything that the call does. */
const ASIDE: readonly (readonly [tool: string, input: JsonObject, acts: readonly string[]])[] = [
  ['frob', { entrypoint: 'main' }, []],
  // pages and hosts that nothing fetches
  ['web_search', { query: 'what is https://a.io/x' }, ['search']],
  ['frob', { host: 'a.io', port: 80 }, ['other /p/a.io']],
  ['ping', { host: 'a.io' }, ['other /p/a.io']],
  ['send_mail', { address: 'a.io' }, ['other /p/a.io']],
  ['fetch', { url: 'https://a.io/x', prompt: 'unlike https://b.io/' }, ['fetch https://a.io/x']],
  ['fetch', { url: 'https://a.io/w_(x)' }, ['fetch https://a.io/w_(x)']],
  ['mcp__x__fetch', { url: 'https://a.io/x,y', prompt: 'unlike https://b.io/' }, ['mcp', 'fetch https://a.io/x,y']],
  ['frob', { process: 'checkout', argument_list: [] }, []],
  ['frob', { program: 'loyalty', value: 'gold' }, []],
  ['frob', { keys: ['user:1', 'user:2'] }, []],
  ['frob', { id: 'b2', title: 'Commit to it' }, []],
  ['frob', { version: '1.2.3', fix: false }, []],
  ['frob', { project: 'acme', in: 'inbox' }, []],
  ['frob', { command: 'ls', security_risk: 'LOW' }, ['run ls']],
  ['frob', { command: 'ls -l', tail: 'five lines' }, ['run ls -l']],
  ['open', { path: 'a.ts', mode: 'r' }, ['read /p/a.ts', 'other']],
  ['open_file', { path: 'a.ts', mode: 'preview' }, ['read /p/a.ts', 'other']],
  ['lint', { path: 'a.ts', fix: false }, ['read /p/a.ts', 'other']],
  ['lint', { path: 'a.ts', quiet: true }, ['read /p/a.ts', 'other']],
  ['post_message', { text: 'src/a.ts' }, []],
  ['think', { thought: 'src/a.ts' }, []],
  ['create_issue', { title: 'src/a.ts', project: 'acme' }, []],
  ['search', { query: 'src/a.ts' }, []],
  ['ask', { question: 'src/a.ts', in: 'src' }, []],
  ['Bash', { command: 'rm a.ts', description: './src', timeout: 5 }, ['run rm a.ts', 'delete /p/a.ts']],
  ['Bash', { command: 'git', description: 'commit -m x' }, ['run git']],
]

/** Described tools, with more in their input than they take. */
const MORE: readonly (readonly [tool: string, input: Json, act: string])[] = [
  ['Bash', { command: 'ls', script: RM }, GONE],
  ['Bash', { command: 'ls', commands: [RM] }, GONE],
  ['Bash', { command: 'ls', Command: RM }, GONE],
  ['Bash', { command: 'ls', nested: { command: RM } }, GONE],
  ['Bash', { command: 'ls', x: RM }, GONE],
  ['Bash', { command: 'rm', args: ['-rf', 'src'] }, GONE],
  ['Bash', { command: 'bash', stdin: RM }, GONE],
  ['Bash', { command: 'ls', file_path: 'a.ts', content: 'x' }, 'write /p/a.ts'],
  ['Bash', { command: 'rm a.ts', cwd: 'src', workdir: 'docs' }, 'unreadable'],
  ['Bash', { command: 'ls', env: { BASH_ENV: '/tmp/x' } }, 'unreadable'],
  ['Write', { file_path: 'b.ts', files: ['a.ts'], content: 'x' }, 'write /p/a.ts'],
  ['Write', { file_path: 'b.ts', target: 'a.ts', content: 'x' }, 'write /p/a.ts'],
  ['Write', { file_path: 'b.ts', content: 'x', command: RM }, GONE],
  ['Edit', { file_path: 'b.ts', new_string: 'b', also: { file_path: 'a.ts' } }, 'write /p/a.ts'],
  ['MultiEdit', { file_path: 'b.ts', edits: [{ file_path: 'a.ts', new_string: 'b' }] }, 'write /p/a.ts'],
  ['Delete', { file_path: 'x', paths: ['src'] }, GONE],
  ['Read', { file_path: 'b.ts', command: RM }, GONE],
  ['WebFetch', { url: 'https://a.io/', urls: ['https://b.io/'] }, 'fetch https://b.io/'],
  ['Grep', { pattern: 'x', command: RM }, GONE],
  ['TodoWrite', { todos: [], command: RM }, GONE],
]

/** Described tools with the fields they take: nothing is added to what their names say. */
const DESCRIBED: readonly (readonly [tool: string, input: JsonObject, acts: readonly string[]])[] = [
  ['Bash', { command: 'ls', description: 'rm -rf src is next', timeout: 5, run_in_background: false }, ['run ls']],
  ['Bash', { command: 'ls', justification: 'git push needs it', prefix_rule: ['git', 'push'] }, ['run ls']],
  ['Write', { file_path: 'a.sh', content: 'rm -rf src\ncat b.ts' }, ['write /p/a.sh']],
  ['Edit', { file_path: 'a.sh', old_string: RM, new_string: 'git push', replace_all: true }, ['write /p/a.sh']],
  ['MultiEdit', { file_path: 'a.sh', edits: [{ old_string: RM, new_string: 'git push' }] }, ['write /p/a.sh']],
  ['Grep', { pattern: 'git push origin', glob: '*.ts', path: 'src', output_mode: 'content' }, ['search /p/src']],
  ['TodoWrite', { todos: [{ content: 'git push', status: 'pending', activeForm: 'git push' }] }, ['coordinate']],
  ['Agent', { prompt: RM, description: 'git push', subagent_type: 'x', command: '/review' }, ['spawn']],
  ['AskUserQuestion', { questions: [{ question: RM, options: [{ label: 'git push' }] }] }, ['ask']],
  ['WebFetch', { url: 'https://a.io/', prompt: 'git push origin' }, ['fetch https://a.io/']],
]

/** What looks like nothing of this kind; a canonical tool where the client's own table gives one. */
const EVERYDAY: readonly (readonly [tool: string, input: JsonObject])[] = [
  // the name of a program that is not run
  ['frob', { owner: 'git', repo: 'x' }],
  ['frob', { owner: 'npm', repo: 'cli', branch: 'latest' }],
  ['frob', { language: 'python', text: 'x' }],
  ['frob', { provider: 'docker', region: 'eu' }],
  ['frob', { ecosystem: 'npm', package: 'react' }],
  ['frob', { ecosystem: 'npm', packages: ['react', 'vue'] }],
  ['frob', { library: 'node', topic: 'streams', tokens: 5000 }],
  ['frob', { platform: 'docker', options: ['x'] }],
  ['frob', { name: 'docker', v: '1.2' }],
  ['frob', { name: 'python', version: '3.12' }],
  ['frob', { type: 'git', url: 'https://a.io/x.git' }],
  ['frob', { c: 'git', n: 5 }],
  ['search', { q: 'git', n: 'five' }],
  ['resolve_library', { q: 'git', x: 'commit' }],
  ['frob', { owner: 'git', x: 'commit' }],
  ['frob', { category: 'git', sort: 'merge' }],
  ['mcp__x__frob', { a: 'git', b: 'commit' }],
  ['mcp__context7__resolve-library-id', { libraryName: 'node', query: 'streams' }],
  ['edit_labels', { add: ['bug'], remove: ['wontfix'] }],
  ['frob', { deleted: false, removed: 0, deleted_at: '2024-01-01T00:00:00Z', deleted_by: 'a/b', trash: true }],
  ['get_diff', { deleted: ['src/a.ts'] }],
  ['compare', { added: ['b.ts'], removed: ['a.ts'] }],
  ['comment', { removed: ['src/a.ts'] }],
  ['finish', { output: 'src/a.ts is done' }],
  ['convert', { output: 'json' }],
  ['get_image', { encoding: 'base64', path: 'a.png' }],
  ['think', { thought: 'git commit -m x; then rm -rf src' }],
  ['sequentialthinking', { thought: 'rm -rf .claude', nextThoughtNeeded: true }],
  ['update_plan', { plan: [{ step: 'git commit the work', status: 'pending' }] }],
  ['report_intent', { intent: 'git commit all' }],
  ['save_memory', { fact: 'npm test is run before git commit' }],
  ['search_issues', { query: 'git commit fails', path: 'src' }],
  ['get_diagnostics', { path: 'a.ts' }],
  ['frob', { path: 'a.ts' }],
  ['get_terminal_output', { id: 'x' }],
  ['read_bash', { shellId: '0', delay: 5 }],
  ['write_stdin', { session_id: 1, chars: '' }],
  ['browser_navigate', { url: 'https://a.io/' }],
  ['create_issue', { title: 'git commit is refused', body: 'rm -rf src' }],
  ['github-create_or_update_file', { owner: 'a', repo: 'b', path: 'src/a.ts', content: 'x' }],
  ['mcp__slack__send_message', { text: 'git commit -m x', channel: 'c' }],
  ['mcp__notes__add', { note: 'git commit -m x' }],
  ['oracle', { task: 'npm test fails, find out why', context: 'git commit came before', files: ['src/a.ts'] }],
  ['librarian', { query: 'git push origin' }],
  ['finder', { query: 'rm -rf src' }],
  ['mermaid', { code: 'graph TD; A-->B;' }],
  ['render_diagram', { code: 'graph TD; A-->B;' }],
  ['mcp__mermaid__render', { code: 'graph TD; A-->B;' }],
  ['mcp__sonar__analyze_code', { code: 'eval(x)', language: 'python' }],
  ['mcp__code__search_code', { code: 'rm -rf' }],
  ['mcp__jupyter__insert_cell', { source: 'print(1)', index: 1 }],
  ['mcp__github__create_issue', { title: 'git push fails', body: 'os.remove("a")' }],
  ['TeamCreate', { team_name: 'x', description: 'y' }],
  ['create_goal', { objective: 'git push' }],
  ['exit_plan_mode', {}],
  ['SomethingNew', { file_path: 'src/a.ts' }],
  ['merge_pull_request', { owner: 'a', repo: 'b', commit_message: 'x' }],
  ['get_commit', { commit: 'abc' }],
  ['review_commit', { commit: 'abc' }],
  ['Skill', { command: 'review' }],
  ['mcp__git__status', {}],
  [
    'frob',
    { image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' },
  ],
  ['frob', { id: 'deadbeefcafebabe', hash: 'd41d8cd98f00b204e9800998ecf8427e', word: 'passwords' }],
  ['frob', { note: btoa('The build is green.') }],
  ['search_text', { text: 'node\nreact\nvue' }],
]

describe.each(clients.map(client => [client.id, client] as const))('%s, a tool nobody knows', (_, client) => {
  test.each(SHAPES)('%s %j: %s', (tool, input, act) => {
    expect(shown(read(client, tool, input))).toContain(act)
  })

  test.each(FORMS)('%s %j, in another form: %s', (tool, input, act) => {
    const acts = shown(read(client, tool, input))
    expect(acts.includes(act) || acts.includes('unreadable'), acts.join()).toBe(true)
  })

  test.each(APART)('%s %j, apart: %s', (tool, input, act) => {
    expect(shown(read(client, tool, input))).toContain(act)
  })

  test.each(ASIDE)('%s %j does no more', (tool, input, acts) => {
    expect(shown(read(client, tool, input)).filter(act => !acts.includes(act) && act !== 'other')).toEqual([])
  })

  test.each(MORE)('%s %j does more than its name says: %s', (tool, input, act) => {
    const acts = shown(read(client, tool, input))
    expect(acts.includes(act) || acts.includes('unreadable'), acts.join()).toBe(true)
    expect(read(client, tool, input, 'tool.after').call?.status).not.toBe('succeeded')
  })

  test.each(DESCRIBED)('%s %j does what its name says', (tool, input, acts) => {
    expect(shown(read(client, tool, input))).toEqual(acts)
  })

  test.each(EVERYDAY)('%s %j does nothing of this', (tool, input) => {
    expect(shown(read(client, tool, input)).filter(act => /^(run|write|delete|unreadable)\b/.test(act))).toEqual([])
  })

  test('a line is a line of Bash, in its folder, under its own name too', () => {
    const { call } = read(client, 'run_the_thing', { params: { cmd: 'git commit', cwd: 'sub' } })
    expect(call).toMatchObject({
      tool: 'Bash',
      native: 'run_the_thing',
      folder: 'sub',
      input: { command: 'git commit' },
    })
  })

  test('how it ended nobody knows who could', () => {
    const { call } = read(client, 'run_the_thing', { command: 'npm test' }, 'tool.after')
    expect(call?.status).toBe('unknown')
  })

  test('an MCP tool that is given a command stays one, and runs it', () => {
    const { call } = read(client, 'mcp__shell__exec', { command: 'git commit' })
    expect(call?.acts.map(showAct)).toEqual(['mcp', 'run git commit'])
    expect(call?.acts.some(act => act.implied)).toBe(false)
  })
})

test('a heredoc of one line does not swallow the next', () => {
  const [client] = clients
  if (!client) throw new Error('there are clients')
  expect(shown(read(client, 'frob', { commands: ['cat <<EOF > a', 'rm -rf src'] }))).toContain('delete /p/src')
})

const key = fc.constantFrom(
  'params',
  'arguments',
  'input',
  'options',
  'x',
  'request',
  'data',
  'content',
  'task',
  'list',
)
const wrap = (value: Json, [name, how]: readonly [string, string]): Json => {
  if (how === 'json') return { [name]: JSON.stringify(value) }
  if (how === 'list') return { [name]: [value, { other: 1 }] }
  return { note: 'x', [name]: value }
}

test('no wrapping hides a command that is there', () => {
  const wrapping = fc.array(fc.tuple(key, fc.constantFrom('object', 'list', 'json')), { maxLength: 20 })
  const commands = fc.constantFrom<JsonObject>(
    { command: 'rm -rf .claude' },
    { cmd: ['rm', '-rf', '.claude'] },
    { command: 'rm', args: ['-rf', '.claude'] },
  )
  const [client] = clients
  fc.assert(
    fc.property(wrapping, commands, (wrappers, command) => {
      // text in a file is text, whatever it looks like
      const open = wrappers.filter(([name, how]) => !(how === 'json' && (name === 'content' || name === 'task')))
      const input = open.reduce<Json>(wrap, command)
      if (!client || !isObject(input)) throw new Error('it is an object')
      const acts = shown(read(client, 'frob', input))
      expect(acts.some(act => act === 'delete /p/.claude' || act === 'unreadable')).toBe(true)
    }),
  )
})

test.each(['claude-code', 'codex-cli', 'gemini-cli', 'qwen-code', 'generic'])(
  '%s: an agent that writes the fields of the payload as it does is heard all the same',
  id => {
    const client = clients.find(one => one.id === id)
    const { tool_name: _, tool_input: __, ...payload } = FIXTURES[id]?.['tool.before'] ?? {}
    const [event] =
      client?.decode({ ...payload, toolName: 'run_terminal_command', toolInput: '{"command":"git commit"}' }, {}) ?? []
    if (!event) throw new Error('a payload holds an event')
    expect(shown(withActions(event, ground))).toEqual(['run git commit'])
  },
)
