import type { Program } from '../core/index.ts'
import {
  agentName,
  type CommandMatch,
  type CommandPattern,
  fieldText,
  type Json,
  PROMPT_SOURCES,
  type PromptSource,
  type Regex,
} from '../pattern/index.ts'
import { type Atom, atomsOfProgram, rulesOf } from './atom.ts'
import { samplesFor } from './sample.ts'
import { Sampler } from './sampler.ts'
import { textFor } from './witness.ts'

/** What the policy names, attribute by attribute. A fresh value of each is added by whoever makes events of them. */
export interface Constants {
  readonly lines: readonly string[]
  readonly paths: readonly string[]
  readonly urls: readonly string[]
  readonly tools: readonly string[]
  /** types of agents, lower case, the fresh one last */
  readonly agents: readonly string[]
  readonly prompts: readonly { readonly text: string; readonly source: PromptSource }[]
  /** what may be captured, by gate and transition */
  readonly answers: readonly Json[]
  readonly asksApproval: boolean
  /** texts for what is named by a pattern */
  readonly sampler: Sampler
}

export const FRESH_AGENT = 'some-agent'

export function constantsOf(program: Program, regex: Regex, root: string): Constants {
  const atoms = atomsOfProgram(program)
  const sampler = new Sampler(program, regex, root)
  const answers = program.gates.flatMap(gate =>
    gate.transitions.flatMap(({ capture }) =>
      capture ? samplesFor(gate.id, capture.name, capture.schema, program, regex) : [],
    ),
  )
  return {
    lines: unique(
      [...atoms.flatMap(commandsIn), ...program.allow.flatMap(one => one.commands)].flatMap(one =>
        lineFor(one, sampler),
      ),
    ),
    paths: unique(
      [...atoms.flatMap(pathsIn), ...program.allow.flatMap(one => one.paths)].flatMap(one => sampler.paths(one.glob)),
    ),
    urls: unique(atoms.flatMap(atom => (atom.key === 'url' ? atom.in.flatMap(one => sampler.urls(one)) : []))),
    tools: unique(
      atoms.flatMap(atom => (atom.key === 'tool' ? atom.in.filter(isPlain).flatMap(one => sampler.tools(one)) : [])),
    ),
    agents: agentsIn(program, atoms, answers),
    prompts: promptsIn(atoms, regex),
    answers: [...new Map(answers.map(one => [JSON.stringify(one), one])).values()],
    asksApproval: atoms.some(atom => atom.key === 'approved'),
    sampler,
  }
}

const unique = (list: readonly string[]): readonly string[] => [...new Set(list)]
const isPlain = (text: string): boolean => !text.includes('{')

const commandsIn = (atom: Atom): readonly CommandMatch[] => (atom.key === 'command' ? atom.in : [])
const pathsIn = (atom: Atom) => (atom.key === 'path' ? atom.in : [])

/** `npm test` as somebody would type it; a word that may be any is `some`. */
export function lineFor(match: CommandMatch, sampler: Sampler): readonly string[] {
  if ('reading' in match) return ['cat some.txt']
  const program = match.path ?? match.program
  return sampler.lines(match).flatMap(rest => {
    const words = [program === '*' ? 'some' : program, ...rest]
    return words.every(isPlain) ? [asWritten(words, match).join(' ')] : []
  })
}

/** `python -m pytest` in that order: what stands behind an option may be its value. */
function asWritten([program = '', ...words]: readonly string[], { typed, options }: CommandPattern): readonly string[] {
  if (!typed) return [program, ...words, ...options]
  const left = [...words]
  return [program, ...typed.flatMap(word => (options.includes(word) ? word : (left.shift() ?? []))), ...left]
}

/** Captures may name an agent, so what they can hold counts as one too. */
function agentsIn(program: Program, atoms: readonly Atom[], answers: readonly Json[]): readonly string[] {
  const named = atoms.flatMap(atom => (atom.key === 'caller' || atom.key === 'agent' ? atom.in : []))
  const suggested = program.gates
    .flatMap(rulesOf)
    .flatMap(({ suggest }) => (typeof suggest === 'object' && 'agent' in suggest ? [suggest.agent].flat() : []))
  const captured = [...named, ...suggested].flatMap(text => answers.flatMap(answer => fillings(text, answer)))
  const types = [...named, ...suggested, ...captured].filter(isPlain).map(agentName)
  return unique([...types.filter(type => !KINDS.includes(type) && /^[\w.-]+$/.test(type)), FRESH_AGENT])
}

/** What stands for `{gate.name.field}` once an answer was captured. */
const fillings = (template: string, answer: Json): readonly string[] =>
  [...template.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name = '']) => {
    const fields = name.split('.')
    return [1, 2].flatMap(from => fieldText(answer, fields.slice(from).join('.')) ?? [])
  })

const KINDS = ['main', 'agent', 'unknown', '']

function promptsIn(atoms: readonly Atom[], regex: Regex): Constants['prompts'] {
  const texts = [
    'something else',
    ...atoms.flatMap(atom => (atom.key === 'prompt' ? atom.in.flatMap(one => textFor(one, regex) ?? []) : [])),
  ]
  const isAsked = atoms.some(atom => atom.key === 'source')
  const sources = isAsked ? PROMPT_SOURCES : PROMPT_SOURCES.slice(0, 1)
  return unique(texts).flatMap(text => sources.map(source => ({ text, source })))
}
