import { join } from 'node:path'
import * as v from 'valibot'
import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import { type PolicyError, problemAt } from '../problem.ts'
import { type ConfigDoc, common, type OptionDoc } from '../schema/policy.ts'
import { readSource } from '../source.ts'
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
  for (const [name, value] of Object.entries(section)) {
    const problem = problemWith(name, value, declared)
    const spot = places.spot(section, name)
    if (problem) {
      if (spot) warnings.push(leftOut(problem, spot.key, pack))
      continue
    }
    const restricts = COMMON.includes(name) || isRestricting(declared[name], value)
    for (const to of restricts ? [strict, all] : [all]) {
      to[name] = value
      if (spot) places.put(to, name, spot)
    }
    const line = spot ? `${label(file, input)}:${spot.key.line}` : label(file, input)
    if (!restricts) covers.push(`option \`${name}\` of pack \`${pack}\` (${line})`)
  }
  return { strict, all, covers }
}

interface Wrong {
  readonly message: string
  readonly help?: string | undefined
}

function problemWith(name: string, value: Json, declared: Readonly<Record<string, OptionDoc>>): Wrong | null {
  const option = declared[name]
  if (option) return acceptsOption(option, value) ? null : { message: `\`${name}\` has a value it cannot have` }
  const known = [...Object.keys(declared), ...COMMON]
  if (!COMMON.includes(name)) return { message: `there is no option \`${name}\``, help: didYouMean(name, known) }
  return v.is(common, { [name]: value }) ? null : { message: `\`${name}\` has a value it cannot have` }
}

const leftOut = ({ message, help }: Wrong, place: Parameters<typeof problemAt>[0], pack: string): PolicyError =>
  problemAt(place, `${message} in pack \`${pack}\`: it is left out`, { help })

const isRestricting = (option: OptionDoc | undefined, value: Json): boolean =>
  option !== undefined && (value === option.default || (option.restricts ?? []).some(one => one === value))
