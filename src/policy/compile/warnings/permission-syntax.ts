import { type CompileContext, type DocumentKey, reportError } from '../context.ts'

/** Returns false and reports an error for `Bash(git push:*)`, the syntax of agents' permission settings: no tool has such a name. */
export function checkToolName(context: CompileContext, holder: object, key: DocumentKey, text: string): boolean {
  const [, tool = '', inner = ''] = /^([\w-]+)\((.*)\)$/.exec(text.trim()) ?? []
  if (tool === '') return true
  reportError(context, holder, key, `\`${text}\` is not a tool: this is the syntax of permissions`, {
    help: `write ${suggestCondition(tool, inner)}`,
  })
  return false
}

function suggestCondition(tool: string, inner: string): string {
  const host = /^domain:(.+)$/.exec(inner)?.[1]
  if (host !== undefined) return `\`url: https://${host}\``
  const isShell = /^(bash|shell|run_shell_command)$/i.test(tool)
  const what = isShell ? inner.replace(/[:\s]*\*$/, '') : inner
  if (what === '') return `\`tool: ${tool}\``
  return isShell ? `\`command: ${what}\`` : `\`tool: ${tool}\` and \`path: ${what}\``
}
