import type { ShellReading } from '../../src/shell/index.ts'

export function isCleared(reading: ShellReading): boolean
export function isOpaque(reading: ShellReading): boolean
