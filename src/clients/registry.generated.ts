// Written by `npm run generate` from the list in index.ts.
import type { ClientDiagnostics } from './adapter/diagnostics.ts'
import type { HookImporter } from './adapter/hook-import.ts'
import type { ClientSettings } from './adapter/settings.ts'
import type { TranscriptFormat } from './adapter/transcript.ts'
import { diagnostics as diagnosticsClaudeCode } from './claude-code/diagnostics.ts'
import { hookImporter as hookImporterClaudeCode } from './claude-code/import-hooks.ts'
import { settings as settingsClaudeCode } from './claude-code/settings.ts'
import { transcriptFormat as transcriptFormatClaudeCode } from './claude-code/transcript.ts'
import { diagnostics as diagnosticsCodexCli } from './codex-cli/diagnostics.ts'
import { hookImporter as hookImporterCodexCli } from './codex-cli/import-hooks.ts'
import { settings as settingsCodexCli } from './codex-cli/settings.ts'
import { transcriptFormat as transcriptFormatCodexCli } from './codex-cli/transcript.ts'
import { diagnostics as diagnosticsCopilotCli } from './copilot-cli/diagnostics.ts'
import { hookImporter as hookImporterCopilotCli } from './copilot-cli/import-hooks.ts'
import { settings as settingsCopilotCli } from './copilot-cli/settings.ts'
import { diagnostics as diagnosticsCursor } from './cursor/diagnostics.ts'
import { hookImporter as hookImporterCursor } from './cursor/import-hooks.ts'
import { settings as settingsCursor } from './cursor/settings.ts'
import { diagnostics as diagnosticsGeminiCli } from './gemini-cli/diagnostics.ts'
import { hookImporter as hookImporterGeminiCli } from './gemini-cli/import-hooks.ts'
import { settings as settingsGeminiCli } from './gemini-cli/settings.ts'
import { transcriptFormat as transcriptFormatGeminiCli } from './gemini-cli/transcript.ts'
import { diagnostics as diagnosticsOpencode } from './opencode/diagnostics.ts'
import { settings as settingsOpencode } from './opencode/settings.ts'
import { diagnostics as diagnosticsQwenCode } from './qwen-code/diagnostics.ts'
import { hookImporter as hookImporterQwenCode } from './qwen-code/import-hooks.ts'
import { settings as settingsQwenCode } from './qwen-code/settings.ts'

export const hookImporters: readonly HookImporter[] = [
  hookImporterClaudeCode,
  hookImporterCodexCli,
  hookImporterCopilotCli,
  hookImporterCursor,
  hookImporterGeminiCli,
  hookImporterQwenCode,
]

export const clientDiagnostics: readonly ClientDiagnostics[] = [
  diagnosticsClaudeCode,
  diagnosticsCodexCli,
  diagnosticsCopilotCli,
  diagnosticsCursor,
  diagnosticsGeminiCli,
  diagnosticsOpencode,
  diagnosticsQwenCode,
]

export const clientSettings: readonly ClientSettings[] = [
  settingsClaudeCode,
  settingsCodexCli,
  settingsCopilotCli,
  settingsCursor,
  settingsGeminiCli,
  settingsOpencode,
  settingsQwenCode,
]

export const transcriptFormats: readonly TranscriptFormat[] = [
  transcriptFormatClaudeCode,
  transcriptFormatCodexCli,
  transcriptFormatGeminiCli,
]
