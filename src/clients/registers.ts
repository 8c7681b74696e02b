import { registers as claudeCode } from './claude-code/registers.ts'
import { registers as codexCli } from './codex-cli/registers.ts'
import { registers as copilotCli } from './copilot-cli/registers.ts'
import { registers as cursor } from './cursor/registers.ts'
import { registers as geminiCli } from './gemini-cli/registers.ts'
import { registers as opencode } from './opencode/registers.ts'
import { registers as qwenCode } from './qwen-code/registers.ts'
import type { Registering } from './registering.ts'

export type { AgentText, Entry, HookCall, Registering, Scope } from './registering.ts'

/** Sorted by id: every agent that is told of the hook by a file. A door of its own: the hook never needs it. */
export const registerings: readonly Registering[] = [
  claudeCode,
  codexCli,
  copilotCli,
  cursor,
  geminiCli,
  opencode,
  qwenCode,
]

export const registeringById = (id: string): Registering | undefined => registerings.find(one => one.id === id)
