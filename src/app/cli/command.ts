import { type ParseArgsConfig, parseArgs } from 'node:util'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { wrapOutput } from './terminal/wrap.ts'

/** 0: fine. 1: found something. 2: could not run. 3: found nothing, but could not check everything. */
export type ExitCode = 0 | 1 | 2 | 3

type ParsedOptions = NonNullable<ParseArgsConfig['options']>
/** Options with what each does, for the help, in its order. */
type CommandOptions = Readonly<Record<string, ParsedOptions[string] & { readonly about?: string }>>
type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Command {
  /** one word, or two for `policy show` */
  readonly name: string
  readonly summary: string
  /** what follows the name in the usage line */
  readonly usage: string
  readonly example: string
  readonly options: CommandOptions
  readonly positionals?: boolean
  /** True when programs read the output: lines are then not wrapped at the window's width. `--json` output is never wrapped. */
  forPrograms?(values: OptionValues): boolean
  run(input: {
    readonly values: OptionValues
    readonly positionals: readonly string[]
    /** option → how it was written: `-n` or `--lines` */
    readonly typed?: Readonly<Record<string, string>>
    readonly terminal: Terminal
  }): Promise<ExitCode>
}

/** Where a command writes, and what is known about the person at the terminal. */
export interface Terminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly width: number
  /** whether stdout and stderr are shown in a window of `width` columns */
  readonly window?: { readonly out: boolean; readonly err: boolean }
  /** a person is typing and reading at their own terminal */
  readonly isPerson: boolean
  /** why `isPerson` is false */
  readonly doubt?: string | undefined
  /** a person sees the output and can answer questions */
  readonly canAsk?: boolean
  /** asks the person and returns one line */
  readonly ask: (question: string) => Promise<string>
}

export async function executeCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseArguments(command, args)
  const shown = wrapOutput(terminal)
  if (typeof parsed === 'string' && asksForHelp(args)) {
    shown.out(commandHelp(command))
    return 0
  }
  if (typeof parsed === 'string') {
    shown.err(`signalbox ${command.name}: ${parsed}${suggestOption(command, parsed)}\n\n${commandHelp(command)}`)
    return 2
  }
  if (parsed.values.help === true) {
    shown.out(commandHelp(command))
    return 0
  }
  const isRaw = parsed.values.json === true || command.forPrograms?.(parsed.values) === true
  return command.run({ ...parsed, terminal: isRaw ? terminal : shown })
}

interface ParsedArguments {
  readonly values: OptionValues
  readonly positionals: readonly string[]
  readonly typed: Readonly<Record<string, string>>
}

function parseArguments(command: Command, args: readonly string[]): ParsedArguments | string {
  const options: ParsedOptions = { ...command.options, help: { type: 'boolean', short: 'h' } }
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: command.positionals === true,
      strict: true,
      tokens: true,
    })
    const typed = tokens.flatMap(token => (token.kind === 'option' ? [[token.name, token.rawName]] : []))
    return { values, positionals, typed: Object.fromEntries(typed) }
  } catch (error) {
    return argumentProblem(error instanceof Error ? error.message : String(error))
  }
}

/** `--help` after an option that lacks its value, or beside a mistake: the person wants the help. */
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).includes('--help')
}

/** Node's message, in our words where Node's do not say what to do. */
function argumentProblem(message: string): string {
  const [, missing] = /^Option '((?:-\w, )?--[\w-]+)(?: <value>)?' argument missing/.exec(message) ?? []
  if (missing !== undefined) return `\`${missing}\` needs a value`
  const [, unclear] = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument is ambiguous/.exec(message) ?? []
  if (unclear !== undefined) return `\`${unclear}\` needs a value; one that begins with a dash is \`${unclear}=-…\``
  const [first = ''] = message.split(/\.\s/, 1)
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}`.replace(/'/g, '`')
}

function suggestOption({ options }: Command, problem: string): string {
  const written = /^unknown option `--([^`=]+)/.exec(problem)?.[1]
  if (written === undefined) return ''
  const meant = didYouMean(written, [...Object.keys(options), 'help'], option => `--${option}`)
  return meant ? `; ${meant}` : ''
}

export function commandHelp({ name, summary, usage, example, options }: Command): string {
  const rows = Object.entries(options).flatMap(([option, { type, about }]) =>
    about === undefined ? [] : `  --${option}${type === 'string' ? ' <value>' : ''}`.padEnd(24) + about,
  )
  return [
    summary,
    '',
    `usage  signalbox ${name}${usage ? ` ${usage}` : ''}`,
    ...(rows.length > 0 ? ['', ...rows] : []),
    '',
    `e.g.   ${example}`,
    '',
  ].join('\n')
}

/** Refuses a command that only a person may run, because no person was detected at the terminal. */
export function printHumanOnlyRefusal(command: string, { err, doubt = 'there is no terminal' }: Terminal): ExitCode {
  err(`signalbox ${command}: only a person can do this, in their own terminal (${doubt}). Nothing was changed.\n`)
  return 2
}
