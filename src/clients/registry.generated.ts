// Written by `npm run generate` from the list in index.ts.
import type { HookImporter } from './shared/hook-import.ts'
import type { ClientDiagnostics } from './shared/diagnostics.ts'
import { hookImporter as adoptsClaudeCode } from './claude-code/import-hooks.ts'
import { diagnostics as checkupClaudeCode } from './claude-code/diagnostics.ts'
import { settings as registersClaudeCode } from './claude-code/settings.ts'
import { transcriptFormat as transcribesClaudeCode } from './claude-code/transcript.ts'
import { hookImporter as adoptsCodexCli } from './codex-cli/import-hooks.ts'
import { diagnostics as checkupCodexCli } from './codex-cli/diagnostics.ts'
import { settings as registersCodexCli } from './codex-cli/settings.ts'
import { transcriptFormat as transcribesCodexCli } from './codex-cli/transcript.ts'
import { hookImporter as adoptsCopilotCli } from './copilot-cli/import-hooks.ts'
import { diagnostics as checkupCopilotCli } from './copilot-cli/diagnostics.ts'
import { settings as registersCopilotCli } from './copilot-cli/settings.ts'
import { hookImporter as adoptsCursor } from './cursor/import-hooks.ts'
import { diagnostics as checkupCursor } from './cursor/diagnostics.ts'
import { settings as registersCursor } from './cursor/settings.ts'
import { hookImporter as adoptsGeminiCli } from './gemini-cli/import-hooks.ts'
import { diagnostics as checkupGeminiCli } from './gemini-cli/diagnostics.ts'
import { settings as registersGeminiCli } from './gemini-cli/settings.ts'
import { transcriptFormat as transcribesGeminiCli } from './gemini-cli/transcript.ts'
import { diagnostics as checkupOpencode } from './opencode/diagnostics.ts'
import { settings as registersOpencode } from './opencode/settings.ts'
import { hookImporter as adoptsQwenCode } from './qwen-code/import-hooks.ts'
import { diagnostics as checkupQwenCode } from './qwen-code/diagnostics.ts'
import { settings as registersQwenCode } from './qwen-code/settings.ts'
import type { ClientSettings } from './shared/settings.ts'
import type { TranscriptFormat } from './shared/transcript.ts'

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
