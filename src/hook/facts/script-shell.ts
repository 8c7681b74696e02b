import { basename, dirname, join } from 'node:path'
import type { Action } from '../../engine/index.ts'
import { programName } from '../../engine/index.ts'
import { tryOr } from '../../lib/errors.ts'
import { readRegularFile } from '../../policy/index.ts'

const SCRIPT_RUNNERS = new Set(['npm', 'npx', 'pnpm', 'pnpx', 'yarn'])
const SETTINGS_FILES = ['.npmrc', '.yarnrc']
const MAX_FOLDERS = 32

/** `script-shell=x` and, in `.yarnrc`, `script-shell "x"`. */
const SETTING = /^\s*(script-shell|node-options|if-present)\s*(?:=|\s)\s*["']?([^"'\n;]*)/gm
const SHELLS = /^(sh|bash|dash|zsh|ksh|ash|fish|cmd|powershell|pwsh)(\.exe)?$/i
const HARMLESS_NODE_OPTIONS =
  /^((--max-old-space-size=\d+|--no-warnings|--no-deprecation|--stack-trace-limit=\d+)(\s+|$))*$/

/**
 * False where a settings file makes `npm test` succeed without the script: `script-shell=true` runs `true` instead of a shell. The files are
 * those of the folder, of the folders above it, and of the home folder; each may have been written in an earlier call.
 */
export function usesStandardScriptShell({ words = [] }: Action, folder: string, home: string): boolean {
  if (!SCRIPT_RUNNERS.has(programName(words[0]?.text ?? ''))) return true
  return [...foldersAbove(folder), home].every(at => SETTINGS_FILES.every(name => isHarmless(textOf(join(at, name)))))
}

function foldersAbove(folder: string): readonly string[] {
  const found = [folder]
  for (let at = folder; at !== dirname(at) && found.length < MAX_FOLDERS; at = dirname(at)) found.push(dirname(at))
  return found
}

function isHarmless(text: string): boolean {
  for (const [, name, value = ''] of text.matchAll(SETTING)) {
    const given = value.trim()
    if (name === 'script-shell' && !SHELLS.test(basename(given.replaceAll('\\', '/')))) return false
    if (name === 'node-options' && !HARMLESS_NODE_OPTIONS.test(given)) return false
    if (name === 'if-present' && given !== 'false') return false
  }
  return true
}

const textOf = (file: string): string => tryOr('', () => readRegularFile(file))
