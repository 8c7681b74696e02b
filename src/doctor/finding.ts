/** Something that is not as it should be: what it costs, what was seen, and what to type. */
export interface Finding {
  readonly id: string
  /** `note`: worth knowing, nothing is lost by it */
  readonly weight: 'problem' | 'note'
  /** in words, one line: what it costs */
  readonly cost: string
  readonly saw: string
  readonly file?: string
  readonly line?: number
  /** a command, or the one thing to do */
  readonly fix: string
  /** the agent it is about */
  readonly client?: string
  /** findings that come of the same cause have the same */
  readonly cause?: string
}

/** What one look found; nothing is fine. */
export interface Looked {
  /** what was looked at, for `-v` */
  readonly about: string
  readonly findings: readonly Finding[]
}

export interface Shown extends Finding {
  /** how many more places show the same */
  readonly more: number
}

/** The root cause once: the first place it shows, and how many more there are. Problems first. */
export function settled(findings: readonly Finding[]): readonly Shown[] {
  const byCause = new Map<string, Shown>()
  for (const finding of findings) {
    const key = `${finding.id} ${finding.client ?? ''} ${finding.cause ?? `${finding.file}:${finding.line} ${finding.saw}`}`
    const before = byCause.get(key)
    byCause.set(key, before ? { ...before, more: before.more + 1 } : { ...finding, more: 0 })
  }
  const all = [...byCause.values()]
  const problems = all.filter(one => one.weight === 'problem')
  const isTold = ({ file, line, saw }: Finding): boolean =>
    file !== undefined && problems.some(one => one.file === file && one.line === line && saw.endsWith(one.saw))
  return [...problems, ...all.filter(one => one.weight === 'note' && !isTold(one))]
}
