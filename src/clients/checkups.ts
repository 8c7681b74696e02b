import type { Checkup } from './checkup.ts'
import { checkup as claudeCode } from './claude-code/checkup.ts'
import { checkup as codexCli } from './codex-cli/checkup.ts'
import { checkup as copilotCli } from './copilot-cli/checkup.ts'
import { checkup as cursor } from './cursor/checkup.ts'
import { checkup as geminiCli } from './gemini-cli/checkup.ts'
import { checkup as opencode } from './opencode/checkup.ts'
import { checkup as qwenCode } from './qwen-code/checkup.ts'

export type { Checkup, Hooked, Launch, Read, Rehearsal, SettingsFile } from './checkup.ts'

/** Sorted by id: how each agent's hooks go wrong, for `doctor` alone. */
export const checkups: readonly Checkup[] = [claudeCode, codexCli, copilotCli, cursor, geminiCli, opencode, qwenCode]
