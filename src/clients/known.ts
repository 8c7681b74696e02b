// Written by `npm run generate` from the list in index.ts.
import { traces as claudeCode } from './claude-code/traces.ts'
import type { Traces } from './client.ts'
import { traces as codexCli } from './codex-cli/traces.ts'
import { traces as copilotCli } from './copilot-cli/traces.ts'
import { traces as cursor } from './cursor/traces.ts'
import { traces as geminiCli } from './gemini-cli/traces.ts'
import { traces as generic } from './generic/traces.ts'
import { traces as opencode } from './opencode/traces.ts'
import { others } from './others.ts'
import { traces as qwenCode } from './qwen-code/traces.ts'

/** Every client that is served, by its id. */
export const served: Readonly<Record<string, Traces>> = {
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
export const known: readonly Traces[] = [...Object.values(served), ...others]
