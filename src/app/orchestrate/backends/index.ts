import type { Backend } from './backend.ts'
import { claudeBackend } from './claude.ts'
import { codexBackend } from './codex.ts'
import { geminiBackend } from './gemini.ts'

/** To add a backend, add its file and one line here. If nothing else decides, the first is tried first. */
export const backends: readonly Backend[] = [claudeBackend, codexBackend, geminiBackend]
