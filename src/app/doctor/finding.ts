/** Something that is not as it should be: what it costs, what was seen, and what to type. */
export interface DoctorFinding {
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
export interface DoctorCheckResult {
  /** what was looked at, for `-v` */
  readonly about: string
  readonly findings: readonly DoctorFinding[]
}

export interface FindingGroup extends DoctorFinding {
  /** how many more places show the same */
  readonly more: number
}

/** The root cause once: the first place it shows, and how many more there are. Problems first. */
export function groupByCause(findings: readonly DoctorFinding[]): readonly FindingGroup[] {
  const byCause = new Map<string, FindingGroup>()
  for (const finding of findings) {
    const key = `${finding.id} ${finding.client ?? ''} ${finding.cause ?? `${finding.file}:${finding.line} ${finding.saw}`}`
    const before = byCause.get(key)
    byCause.set(key, before ? { ...before, more: before.more + 1 } : { ...finding, more: 0 })
  }
  const all = [...byCause.values()]
  const problems = all.filter(one => one.weight === 'problem')
  const isTold = ({ file, line, saw }: DoctorFinding): boolean =>
    file !== undefined && problems.some(one => one.file === file && one.line === line && saw.endsWith(one.saw))
  return [...problems, ...all.filter(one => one.weight === 'note' && !isTold(one))]
}
