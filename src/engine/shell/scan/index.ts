import { scanList } from './command-list.ts'
import { type ScanState, UncertainScanError } from './scan-state.ts'

export { commandIndexOf, wordEndOf } from './scan-state.ts'

/** The positions of words and substitutions in a text. `scanScript` returns undefined if they are not certain. */
export type ScriptLayout = Pick<ScanState, 'words' | 'openings' | 'qualified' | 'differsByShell'>

export function scanScript(text: string, line = () => text): ScriptLayout | undefined {
  const scan: ScanState = {
    text,
    line,
    at: 0,
    end: text.length,
    depth: 0,
    enclosed: 0,
    commands: 0,
    words: new Map(),
    openings: new Map(),
    heredocs: [],
    compared: 0,
    qualified: false,
    differsByShell: false,
    scanList,
  }
  try {
    scanList(scan, 'end')
    return scan
  } catch (error) {
    if (error instanceof UncertainScanError) return undefined
    throw error
  }
}
