export function recordedLines(folders?: readonly string[]): readonly string[]
export function tableLines(under?: string, without?: readonly string[]): readonly string[]
export function everydayLines(): readonly string[]
export function keptLines(): readonly { readonly shell: string; readonly line: string }[]
