import type { Regex } from '../../../../engine/index.ts'
import type { Atom } from '../condition-atoms.ts'
import type { Conjunction } from './disjunctive-normal-form.ts'
import { CALL_ATTRIBUTE_KEYS, inputFieldsOf, type PatternSampler } from './pattern-sampler.ts'
import { linesOn, withWords } from './policy-constants.ts'
import { sampleText } from './sample-strings.ts'

/** One call has the words of all atoms; if an atom is about what a command does, on each file and page. */
export function linesOf(
  conjunction: Conjunction,
  commands: readonly string[],
  { paths, urls }: { readonly paths: readonly string[]; readonly urls: readonly string[] },
  sampler: PatternSampler,
): readonly string[] {
  const lines = atomsWithKey(conjunction, 'words').reduce<readonly string[]>(
    (all, atom) =>
      withWords(all.length > 0 ? all : ['some-program'], limitValues(atom, atom.in, conjunction, sampler), sampler),
    commands,
  )
  return conjunction.some(atom => 'maker' in atom) ? linesOn(lines, paths, urls) : lines
}

/** Every value is sampled alone anyway. In combination with other attributes, at most `MAX_VALUES` are. */
export function limitValues<T>(
  atom: Atom,
  values: readonly T[],
  conjunction: Conjunction,
  sampler: PatternSampler,
): readonly T[] {
  const isMore = conjunction.some(other => other !== atom && CALL_ATTRIBUTE_KEYS.has(other.key))
  if (isMore && values.length > MAX_VALUES) sampler.markIncomplete([atom])
  return values.slice(0, MAX_VALUES)
}

const MAX_VALUES = 8

export const atomsWithKey = <K extends Atom['key']>(
  conjunction: Conjunction,
  key: K,
): readonly Extract<Atom, { readonly key: K }>[] =>
  conjunction.filter((atom): atom is Extract<Atom, { readonly key: K }> => atom.key === key)

export const literalNamesIn = (conjunction: Conjunction, key: 'tool' | 'agent'): readonly string[] =>
  conjunction.flatMap(atom =>
    atom.key === key && 'in' in atom ? atom.in.map(String).filter(name => !name.includes('{')) : [],
  )

export const sampleFields = (
  conjunction: Conjunction,
  key: 'input' | 'assigns',
  regex: Regex,
): readonly (readonly [string, string])[] =>
  conjunction.flatMap(atom => {
    const fields = key === 'input' ? inputFieldsOf(atom) : atom.key === key ? atom.fields : []
    return fields.flatMap(({ field, in: wanted }) => {
      const text = wanted.map(pattern => sampleText(pattern, regex)).find(one => one !== undefined)
      return text === undefined || field === '' ? [] : [[field, text] as const]
    })
  })

/** Inputs with a text for each field; then one field at a time with the other samples of its pattern. */
export function sampleInputs(
  conjunction: Conjunction,
  regex: Regex,
  sampler: PatternSampler,
): readonly Readonly<Record<string, string>>[] {
  const plain = Object.fromEntries(sampleFields(conjunction, 'input', regex))
  const fields = conjunction.flatMap(inputFieldsOf)
  const each = fields.flatMap(({ field, in: wanted }) =>
    field === ''
      ? []
      : wanted.flatMap(pattern => sampler.texts(field, pattern).map(text => ({ ...plain, [field]: text }))),
  )
  return [plain, ...each]
}
