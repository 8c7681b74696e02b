// Written by `npm run generate` from the list in index.ts.
import type { HookImporter } from './adopting.ts'
import type { ClientDiagnostics } from './checkup.ts'
import { hookImporter as adoptsClaudeCode } from './claude-code/adopts.ts'
import { diagnostics as checkupClaudeCode } from './claude-code/checkup.ts'
import { settings as registersClaudeCode } from './claude-code/registers.ts'
import { transcriptFormat as transcribesClaudeCode } from './claude-code/transcribes.ts'
import { hookImporter as adoptsCodexCli } from './codex-cli/adopts.ts'
import { diagnostics as checkupCodexCli } from './codex-cli/checkup.ts'
import { settings as registersCodexCli } from './codex-cli/registers.ts'
import { transcriptFormat as transcribesCodexCli } from './codex-cli/transcribes.ts'
import { hookImporter as adoptsCopilotCli } from './copilot-cli/adopts.ts'
import { diagnostics as checkupCopilotCli } from './copilot-cli/checkup.ts'
import { settings as registersCopilotCli } from './copilot-cli/registers.ts'
import { hookImporter as adoptsCursor } from './cursor/adopts.ts'
import { diagnostics as checkupCursor } from './cursor/checkup.ts'
import { settings as registersCursor } from './cursor/registers.ts'
import { hookImporter as adoptsGeminiCli } from './gemini-cli/adopts.ts'
import { diagnostics as checkupGeminiCli } from './gemini-cli/checkup.ts'
import { settings as registersGeminiCli } from './gemini-cli/registers.ts'
import { transcriptFormat as transcribesGeminiCli } from './gemini-cli/transcribes.ts'
import { diagnostics as checkupOpencode } from './opencode/checkup.ts'
import { settings as registersOpencode } from './opencode/registers.ts'
import { hookImporter as adoptsQwenCode } from './qwen-code/adopts.ts'
import { diagnostics as checkupQwenCode } from './qwen-code/checkup.ts'
import { settings as registersQwenCode } from './qwen-code/registers.ts'
import type { ClientSettings } from './registering.ts'
import type { TranscriptFormat } from './transcribing.ts'

export const hookImporters: readonly HookImporter[] = [
  adoptsClaudeCode,
  adoptsCodexCli,
  adoptsCopilotCli,
  adoptsCursor,
  adoptsGeminiCli,
  adoptsQwenCode,
]

export const clientDiagnostics: readonly ClientDiagnostics[] = [
  checkupClaudeCode,
  checkupCodexCli,
  checkupCopilotCli,
  checkupCursor,
  checkupGeminiCli,
  checkupOpencode,
  checkupQwenCode,
]

export const clientSettings: readonly ClientSettings[] = [
  registersClaudeCode,
  registersCodexCli,
  registersCopilotCli,
  registersCursor,
  registersGeminiCli,
  registersOpencode,
  registersQwenCode,
]

export const transcriptFormats: readonly TranscriptFormat[] = [
  transcribesClaudeCode,
  transcribesCodexCli,
  transcribesGeminiCli,
]
