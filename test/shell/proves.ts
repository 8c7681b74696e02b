import { matchCommands, parseCommand } from '../../src/engine/index.ts'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

/** Would the success of the line open a gate that asks for the success of the command? As far as its words say. */
export function proves(command: string, line: string): boolean {
  const pattern = parseCommand(command)
  const how = { reading: 'all', fill: (text: string) => text } as const
  return analyseShellLine(line).acts.some(
    act =>
      act.implied === true &&
      act.words !== undefined &&
      pattern !== null &&
      matchCommands([{ ...pattern, whole: true }], { ...act, words: act.words }, how) === 'true',
  )
}
