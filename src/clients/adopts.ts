import type { Adopting } from './adopting.ts'
import { adopts as claudeCode } from './claude-code/adopts.ts'
import { adopts as codexCli } from './codex-cli/adopts.ts'
import { adopts as copilotCli } from './copilot-cli/adopts.ts'
import { adopts as cursor } from './cursor/adopts.ts'
import { adopts as geminiCli } from './gemini-cli/adopts.ts'
import { adopts as qwenCode } from './qwen-code/adopts.ts'

export { type Adopted, type Adopting, isStaying, type OwnHook, type ToolName } from './adopting.ts'

/** Sorted by id: every agent that runs commands of the person's own. A door of its own: the hook never needs it. */
export const adoptings: readonly Adopting[] = [claudeCode, codexCli, copilotCli, cursor, geminiCli, qwenCode]

export const adoptingById = (id: string): Adopting | undefined => adoptings.find(one => one.id === id)
