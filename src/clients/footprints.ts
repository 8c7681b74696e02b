// Written by `npm run generate` from the list in index.ts.
import { footprint as claudeCode } from './claude-code/footprint.ts'
import type { ClientFootprint } from './client.ts'
import { footprint as codexCli } from './codex-cli/footprint.ts'
import { footprint as copilotCli } from './copilot-cli/footprint.ts'
import { footprint as cursor } from './cursor/footprint.ts'
import { footprint as geminiCli } from './gemini-cli/footprint.ts'
import { footprint as generic } from './generic/footprint.ts'
import { footprint as opencode } from './opencode/footprint.ts'
import { unsupportedAgents } from './other-agents.ts'
import { footprint as qwenCode } from './qwen-code/footprint.ts'

/** Every client that is served, by its id. */
export const footprintsByClient: Readonly<Record<string, ClientFootprint>> = {
  'claude-code': claudeCode,
  'codex-cli': codexCli,
  'copilot-cli': copilotCli,
  cursor,
  'gemini-cli': geminiCli,
  generic,
  opencode,
  'qwen-code': qwenCode,
}

/** Every agent whose footprint counts, served or not. */
export const allFootprints: readonly ClientFootprint[] = [...Object.values(footprintsByClient), ...unsupportedAgents]
