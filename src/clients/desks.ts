// Written by `npm run generate` from the list in index.ts.
import type { Adopting } from './adopting.ts'
import type { Checkup } from './checkup.ts'
import { adopts as adoptsClaudeCode } from './claude-code/adopts.ts'
import { checkup as checkupClaudeCode } from './claude-code/checkup.ts'
import { registers as registersClaudeCode } from './claude-code/registers.ts'
import { adopts as adoptsCodexCli } from './codex-cli/adopts.ts'
import { checkup as checkupCodexCli } from './codex-cli/checkup.ts'
import { registers as registersCodexCli } from './codex-cli/registers.ts'
import { adopts as adoptsCopilotCli } from './copilot-cli/adopts.ts'
import { checkup as checkupCopilotCli } from './copilot-cli/checkup.ts'
import { registers as registersCopilotCli } from './copilot-cli/registers.ts'
import { adopts as adoptsCursor } from './cursor/adopts.ts'
import { checkup as checkupCursor } from './cursor/checkup.ts'
import { registers as registersCursor } from './cursor/registers.ts'
import { adopts as adoptsGeminiCli } from './gemini-cli/adopts.ts'
import { checkup as checkupGeminiCli } from './gemini-cli/checkup.ts'
import { registers as registersGeminiCli } from './gemini-cli/registers.ts'
import { checkup as checkupOpencode } from './opencode/checkup.ts'
import { registers as registersOpencode } from './opencode/registers.ts'
import { adopts as adoptsQwenCode } from './qwen-code/adopts.ts'
import { checkup as checkupQwenCode } from './qwen-code/checkup.ts'
import { registers as registersQwenCode } from './qwen-code/registers.ts'
import type { Registering } from './registering.ts'

export const adoptings: readonly Adopting[] = [
  adoptsClaudeCode,
  adoptsCodexCli,
  adoptsCopilotCli,
  adoptsCursor,
  adoptsGeminiCli,
  adoptsQwenCode,
]

export const checkups: readonly Checkup[] = [
  checkupClaudeCode,
  checkupCodexCli,
  checkupCopilotCli,
  checkupCursor,
  checkupGeminiCli,
  checkupOpencode,
  checkupQwenCode,
]

export const registerings: readonly Registering[] = [
  registersClaudeCode,
  registersCodexCli,
  registersCopilotCli,
  registersCursor,
  registersGeminiCli,
  registersOpencode,
  registersQwenCode,
]
