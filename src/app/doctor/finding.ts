/** A problem: its cost, what was found, and how to fix it. */
export interface DoctorFinding {
  readonly id: string
  /** `note`: nothing is lost */
  readonly weight: 'problem' | 'note'
  /** the consequence, in one line */
  readonly cost: string
  readonly saw: string
  readonly file?: string
  readonly line?: number
  /** a command to run, or what to do */
  readonly fix: string
  /** the agent concerned */
  readonly client?: string
  /** findings with the same cause are grouped */
  readonly cause?: string
}

/** The result of one check; no findings means it is fine. */
export interface DoctorCheckResult {
  /** what was checked, for `-v` */
  readonly about: string
  readonly findings: readonly DoctorFinding[]
}

export interface FindingGroup extends DoctorFinding {
  /** number of further places with the same cause */
  readonly more: number
}

/** Groups findings by cause: the first place, and the number of others. Problems come first. */
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
