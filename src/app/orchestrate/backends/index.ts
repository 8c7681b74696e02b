import type { Backend } from './backend.ts'
import { claudeBackend } from './claude.ts'
import { codexBackend } from './codex.ts'
import { geminiBackend } from './gemini.ts'

/** A new backend is one file and one line here. Where nothing else decides, the first is asked first. */
export const backends: readonly Backend[] = [claudeBackend, codexBackend, geminiBackend]
