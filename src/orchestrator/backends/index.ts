import type { Backend } from '../backend.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'

/** A new backend is one file and one line here. Where nothing else decides, the first is asked first. */
export const backends: readonly Backend[] = [claude, codex, gemini]
