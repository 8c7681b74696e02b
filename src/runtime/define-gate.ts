import type { CodeGate } from '../core/index.ts'

/** What a code gate's module exports by default: `export default defineGate({ judge(event, state) { … } })`. */
export const defineGate = (gate: { readonly judge: CodeGate }): { readonly judge: CodeGate } => gate
