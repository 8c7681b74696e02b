import { join } from 'node:path'
import * as v from 'valibot'
import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import { type PolicyError, problemAt } from '../problem.ts'
import { type ConfigDoc, common, type OptionDoc } from '../schema/policy.ts'
import { readSource } from '../source.ts'
import { entriesOf, type OptionEntry } from './config-keys.ts'
import { type Configured, label } from './context.ts'
import { acceptsOption } from './options.ts'
import type { PackGround } from './pack.ts'

export const NOTHING_CONFIGURED: Configured = { strict: {}, all: {}, covers: [] }

/** `mode` and `onError` are asked for trust where they are applied. The rest could keep the policy from loading. */
const COMMON = ['mode', 'onError']

/**
 * The section of `.claude/config.yaml` (or what the pack names) as options. Anybody may edit that file: what is wrong in
 * it is a warning, and an option counts at once only with a value that the pack declares to restrict.
 */
export function readConfig(
  doc: ConfigDoc,
  declared: Readonly<Record<string, OptionDoc>>,
  pack: string,
  ground: PackGround,
): Configured {
  if (ground.user.layer !== 'project') return NOTHING_CONFIGURED
  const { input, places, warnings } = ground
  const file = join(input.root, doc.file)
  const text = ground.files.read(file)
  if (text === null) return NOTHING_CONFIGURED
  const source = readSource(text, file, places, ground.limits)
  const section = source.root?.[doc.section]
  warnings.push(...source.problems)
  if (!isObject(section)) {
    const place = source.root && places.value(source.root, doc.section)
    if (section !== undefined && section !== null && place)
      warnings.push(leftOut({ message: `\`${doc.section}\` must be a mapping of options` }, place, pack))
    return NOTHING_CONFIGURED
  }
  const strict: JsonObject = {}
  const all: JsonObject = {}
  const covers: string[] = []
  for (const entry of entriesOf(section, doc.keys ?? {})) {
    const spot = places.spot(entry.holder, entry.key)
    if ('note' in entry) {
      if (spot) warnings.push(problemAt(spot.key, entry.note))
      continue
    }
    const problem = 'problem' in entry ? entry.problem : problemWith(entry, declared)
    if ('problem' in entry || problem) {
      if (spot && problem) warnings.push(leftOut(problem, spot.key, pack))
      continue
    }
    const { name, value } = entry
    const restricts = COMMON.includes(name) || isRestricting(declared[name], value)
    for (const to of restricts ? [strict, all] : [all]) {
      to[name] = value
      if (spot) places.put(to, name, spot)
    }
    const line = spot ? `${label(file, input)}:${spot.key.line}` : label(file, input)
    if (!restricts) covers.push(`option \`${name}\` of pack \`${pack}\` (${line})`)
  }
  return { strict, all, covers: [...new Set(covers)] }
}

export interface Wrong {
  readonly message: string
  readonly help?: string | undefined
}

function problemWith(
  { name, value, isTranslated }: OptionEntry,
  declared: Readonly<Record<string, OptionDoc>>,
): Wrong | null {
  const option = declared[name]
  if (option) return acceptsOption(option, value) ? null : { message: `\`${name}\` has a value it cannot have` }
  const known = [...Object.keys(declared), ...COMMON]
  // a bypass is read where the pack says so, in a form that loads
  if (!COMMON.includes(name) && !isTranslated)
    return { message: `there is no option \`${name}\``, help: didYouMean(name, known) }
  return v.is(common, { [name]: value }) ? null : { message: `\`${name}\` has a value it cannot have` }
}

const leftOut = ({ message, help }: Wrong, place: Parameters<typeof problemAt>[0], pack: string): PolicyError =>
  problemAt(place, `${message} in pack \`${pack}\`: it is left out`, { help })

const isRestricting = (option: OptionDoc | undefined, value: Json): boolean =>
  option !== undefined && (value === option.default || (option.restricts ?? []).some(one => one === value))
