import type { ShellAnalysis } from '../../src/engine/shell/index.ts'

export function isCleared(reading: ShellAnalysis): boolean
export function isOpaque(reading: ShellAnalysis): boolean
