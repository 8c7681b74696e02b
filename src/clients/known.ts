// Written by `npm run generate` from the list in index.ts.
import { footprint as claudeCode } from './claude-code/traces.ts'
import type { ClientFootprint } from './client.ts'
import { footprint as codexCli } from './codex-cli/traces.ts'
import { footprint as copilotCli } from './copilot-cli/traces.ts'
import { footprint as cursor } from './cursor/traces.ts'
import { footprint as geminiCli } from './gemini-cli/traces.ts'
import { footprint as generic } from './generic/traces.ts'
import { footprint as opencode } from './opencode/traces.ts'
import { unsupportedAgents } from './others.ts'
import { footprint as qwenCode } from './qwen-code/traces.ts'

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

/** Every agent whose traces count, served or not. */
export const allFootprints: readonly ClientFootprint[] = [...Object.values(footprintsByClient), ...unsupportedAgents]
