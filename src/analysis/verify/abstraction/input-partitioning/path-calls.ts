import type { Program } from '../../../../engine/index.ts'
import { quoteShellWord } from '../../../../lib/shell-quote.ts'
import { atomsOfProgram } from '../condition-atoms.ts'
import type { ShorthandEvent } from '../residual-condition.ts'
import type { PolicyConstants } from './policy-constants.ts'

/** Calls on each path that the policy names, and on a fresh one. `isNarrow`: also for clients without file tools. */
export function callsOnPaths(
  program: Program,
  { paths, tools }: PolicyConstants,
  isNarrow: boolean,
): readonly ShorthandEvent[] {
  const all = ['some.txt', ...paths]
  return [
    ...paths.flatMap(path => callsOnPath(path, tools)),
    ...(isTextAsked(program) ? all.map(path => ({ write: path, text: 'some text' })) : []),
    ...(isNarrow ? all.flatMap(patchOrCommandCalls) : []),
  ]
}

const isTextAsked = (program: Program): boolean => atomsOfProgram(program).some(({ key }) => key === 'text')

const callsOnPath = (path: string, tools: readonly string[]): readonly ShorthandEvent[] => [
  ...[{ read: path }, { write: path }, { edit: path }, { delete: path }, { shell: `echo x > '${path}'` }],
  ...tools.filter(tool => /^(notebookedit|multiedit|grep|glob|ls)$/i.test(tool)).map(tool => ({ tool, path })),
]

/** For clients without file tools. */
const patchOrCommandCalls = (path: string): readonly ShorthandEvent[] => [
  { tool: 'ApplyPatch', input: { patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` } },
  { shell: `cat ${quoteShellWord(path)}` },
  { shell: `rm ${quoteShellWord(path)}` },
]
