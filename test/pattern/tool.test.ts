import { expect, it } from 'vitest'
import { matchesToolName } from '../../src/engine/index.ts'

it.each([
  ['Bash', 'bash', true],
  ['Bash', 'BashOutput', false],
  ['Web*', 'WebFetch', true],
  ['mcp__github__get_issue', 'mcp__github__get_issue', true],
  ['mcp__github__get_issue', 'mcp__plugin_tools_github__get_issue', true],
  ['mcp__plugin_tools_github__get_issue', 'mcp__github__get_issue', true],
  ['mcp__github__get_issue', 'mcp_github_get_issue', true],
  ['mcp_github_get_issue', 'mcp__github__get_issue', true],
  ['mcp__plugin_tools_github__get_issue', 'mcp_github_get_issue', true],
  ['mcp__github__get_issue', 'mcp__gitlab__get_issue', false],
  ['mcp__github__get_issue', 'mcp__github__get_issues', false],
  ['mcp__hub__get', 'mcp__github__get', false],
  ['mcp__github__*', 'mcp__plugin_tools_github__get_issue', true],
  ['mcp__github__*', 'mcp_github_get_issue', true],
  ['mcp__github__get*', 'mcp__plugin_a_b_github__get_issue', true],
  ['mcp__git*', 'mcp__github__get_issue', true],
  ['mcp__github__*', 'mcp__gitlab__get', false],
  ['*', 'Bash', true],
  ['*Edit', 'NotebookEdit', true],
  ['*Edit', 'Edited', false],
  ['Notebook*Edit', 'NotebookEdit', true],
  ['mcp__*__write_*', 'mcp__files__write_file', true],
  ['mcp__*__write_*', 'mcp__plugin_a_files__write_file', true],
  ['mcp__*__write_*', 'mcp_files_write_file', true],
  ['mcp__*__write_*', 'mcp__files__read_file', false],
  ['mcp__git*__get_*', 'mcp__plugin_tools_github__get_issue', true],
  ['mcp__git*__get_*', 'mcp__files__get_issue', false],
  ['mcp_git*_get_issue', 'mcp__github__get_issue', true],
  ['mcp__git*', 'mcp__plugin_tools_github__get_issue', true],
  ['mcp__git*', 'mcp__files__get', false],
])('%s and %s are the same tool: %s', (pattern, name, expected) => {
  expect(matchesToolName(pattern, name)).toBe(expected)
})
