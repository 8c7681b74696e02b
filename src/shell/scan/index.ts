import { scanList } from './list.ts'
import { Doubt, type Scan } from './state.ts'

export { commandOf, endOf } from './state.ts'

/** Where the words of simple commands and the substitutions of a text are; undefined where that is not known for certain. */
export type Layout = Pick<Scan, 'words' | 'openings' | 'qualified' | 'differsByShell'>

export function scanScript(text: string, line = () => text): Layout | undefined {
  const scan: Scan = {
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
    if (error instanceof Doubt) return undefined
    throw error
  }
}
