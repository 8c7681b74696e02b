import { join } from 'node:path'
import * as v from 'valibot'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { fileLabel, type ProjectFileOptions } from '../compile/context.ts'
import { type PolicyError, policyErrorAt } from '../parse/policy-error.ts'
import { readYamlMapping } from '../parse/yaml-source.ts'
import { type ConfigDoc, commonOptionsSchema, type OptionDoc } from '../schema/policy.ts'
import type { PackContext } from './config-keys.ts'
import { configEntriesOf, type OptionEntry, type OptionProblem } from './config-keys.ts'
import { acceptsOption } from './options.ts'

export const NO_PROJECT_FILE_OPTIONS: ProjectFileOptions = { strict: {}, all: {}, needsTrust: [] }

/** Trust for `mode` and `onError` is checked where they are applied. Other common options could keep the policy from loading. */
const COMMON_OPTIONS = ['mode', 'onError']

/**
 * Reads the section of `.claude/config.yaml` (or the file that the pack names) as options. Anyone may edit that file, so mistakes are
 * only warnings, and without trust an option counts only with a value that the pack declares as restricting.
 */
export function readConfigSection(
  doc: ConfigDoc,
  declared: Readonly<Record<string, OptionDoc>>,
  pack: string,
  context: PackContext,
): ProjectFileOptions {
  if (context.user.layer !== 'project') return NO_PROJECT_FILE_OPTIONS
  const { input, places, warnings } = context
  const file = join(input.root, doc.file)
  const text = context.files.read(file)
  if (text === null) return NO_PROJECT_FILE_OPTIONS
  const source = readYamlMapping(text, file, places, context.limits)
  const section = source.root?.[doc.section]
  warnings.push(...source.problems)
  if (!isObject(section)) {
    const place = source.root && places.value(source.root, doc.section)
    if (section !== undefined && section !== null && place)
      warnings.push(ignoredOptionWarning({ message: `\`${doc.section}\` must be a mapping of options` }, place, pack))
    return NO_PROJECT_FILE_OPTIONS
  }
  const strict: JsonObject = {}
  const all: JsonObject = {}
  const needsTrust: string[] = []
  for (const entry of configEntriesOf(section, doc.keys ?? {})) {
    const spot = places.spot(entry.holder, entry.key)
    if ('note' in entry) {
      if (spot) warnings.push(policyErrorAt(spot.key, entry.note))
      continue
    }
    const problem = 'problem' in entry ? entry.problem : findOptionProblem(entry, declared)
    if ('problem' in entry || problem) {
      if (spot && problem) warnings.push(ignoredOptionWarning(problem, spot.key, pack))
      continue
    }
    const { name, value } = entry
    const restricts = COMMON_OPTIONS.includes(name) || isRestrictingValue(declared[name], value)
    for (const to of restricts ? [strict, all] : [all]) {
      to[name] = value
      if (spot) places.put(to, name, spot)
    }
    const line = spot ? `${fileLabel(file, input)}:${spot.key.line}` : fileLabel(file, input)
    if (!restricts) needsTrust.push(`option \`${name}\` of pack \`${pack}\` (${line})`)
  }
  return { strict, all, needsTrust: [...new Set(needsTrust)] }
}

function findOptionProblem(
  { name, value, isTranslated }: OptionEntry,
  declared: Readonly<Record<string, OptionDoc>>,
): OptionProblem | null {
  const option = declared[name]
  if (option) return acceptsOption(option, value) ? null : { message: `\`${name}\` has an invalid value` }
  const known = [...Object.keys(declared), ...COMMON_OPTIONS]
  // other common options, such as `bypass`, count only if the pack translates a key to them
  if (!COMMON_OPTIONS.includes(name) && !isTranslated)
    return { message: `there is no option \`${name}\``, help: didYouMean(name, known) }
  return v.is(commonOptionsSchema, { [name]: value }) ? null : { message: `\`${name}\` has an invalid value` }
}

const ignoredOptionWarning = (
  { message, help }: OptionProblem,
  location: Parameters<typeof policyErrorAt>[0],
  pack: string,
): PolicyError => policyErrorAt(location, `${message} in pack \`${pack}\`: it is ignored`, { help })

const isRestrictingValue = (option: OptionDoc | undefined, value: Json): boolean =>
  option !== undefined && (value === option.default || (option.restricts ?? []).some(restrict => restrict === value))
