/** The text format of Prometheus, strictly: what is not in it throws. By its specification, version 0.0.4. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: string
  readonly samples: readonly Sample[]
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*'

export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line must end')
  const families = new Map<string, Family & { samples: Sample[] }>()
  const helped = new Set<string>()
  const seen = new Set<string>()
  let now: (Family & { samples: Sample[] }) | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const help = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\\\\\|\\\\n)+$`).exec(line)
    const type = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`).exec(line)
    if (help?.[1]) {
      if (helped.has(help[1])) throw new Error(`HELP twice: ${line}`)
      helped.add(help[1])
    } else if (type?.[1]) {
      if (families.has(type[1])) throw new Error(`TYPE twice: ${line}`)
      now = { name: type[1], type: type[2] ?? '', samples: [] }
      families.set(now.name, now)
    } else {
      const sample = sampleIn(line)
      const base = now?.type === 'histogram' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name
      if (!now || base !== now.name) throw new Error(`outside of its family: ${line}`)
      const key = line.slice(0, line.lastIndexOf(' '))
      if (seen.has(key)) throw new Error(`twice: ${line}`)
      seen.add(key)
      if (now.type === 'counter' && (!now.name.endsWith('_total') || sample.value < 0))
        throw new Error(`no counter: ${line}`)
      now.samples.push(sample)
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family)
  return families
}

function sampleIn(line: string): Sample {
  const [, name = '', inside, number = ''] =
    new RegExp(`^(${NAME})(?:\\{((?:${LABEL}="(?:[^"\\\\\\n]|\\\\["\\\\n])*",?)*)\\})? (\\S+)$`).exec(line) ?? []
  const value = number === '+Inf' ? Infinity : Number(number)
  if (name === '' || number === '' || Number.isNaN(value)) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  for (const [, label = '', text = ''] of (inside ?? '').matchAll(
    new RegExp(`(${LABEL})="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"`, 'g'),
  )) {
    if (label in labels) throw new Error(`label twice: ${line}`)
    labels[label] = text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
  }
  return { name, labels, value }
}

/** Buckets grow, end with +Inf, and that is the count. */
function checkHistogram({ name, samples }: Family): void {
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = JSON.stringify(labels)
    groups.set(key, [...(groups.get(key) ?? []), sample])
  }
  for (const group of groups.values()) {
    const buckets = group.filter(one => one.name === `${name}_bucket`)
    const bounds = buckets.map(one => (one.labels.le === '+Inf' ? Infinity : Number(one.labels.le)))
    const grows = (list: readonly number[], strictly: boolean) =>
      list.every((one, at) => at === 0 || (strictly ? one > (list[at - 1] ?? 0) : one >= (list[at - 1] ?? 0)))
    const count = group.find(one => one.name === `${name}_count`)?.value
    const isSound =
      grows(bounds, true) &&
      bounds.at(-1) === Infinity &&
      grows(
        buckets.map(one => one.value),
        false,
      ) &&
      buckets.at(-1)?.value === count &&
      group.some(one => one.name === `${name}_sum`)
    if (!isSound) throw new Error(`no histogram: ${name}`)
  }
}
