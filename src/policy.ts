/** `signalbox/policy`: compile, evaluate and check policies, for editors and other tools. */
export { check } from './api/check.ts'
export { compile } from './api/compile.ts'
export { evaluate } from './api/evaluate.ts'
export { formatDiagnostic } from './api/format-diagnostic.ts'
export type {
  CheckOptions,
  CheckResult,
  ClientId,
  Compilation,
  CompiledPolicy,
  CompileOptions,
  Diagnostic,
  EvaluateOptions,
  Finding,
  GateInfo,
  GateMove,
  Outcome,
  PolicyEvent,
  RuleMatch,
} from './types/index.ts'
