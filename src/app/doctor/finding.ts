/** A problem: its effect, what was found, and how to fix it. */
export interface DoctorFinding {
  readonly id: string
  /** `note`: nothing is lost */
  readonly severity: 'problem' | 'note'
  /** the consequence, in one line */
  readonly effect: string
  readonly found: string
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
  readonly otherPlaces: number
}

/** Groups findings by cause: the first place, and the number of others. Problems come first. */
export function groupByCause(findings: readonly DoctorFinding[]): readonly FindingGroup[] {
  const byCause = new Map<string, FindingGroup>()
  for (const finding of findings) {
    const key = `${finding.id} ${finding.client ?? ''} ${finding.cause ?? `${finding.file}:${finding.line} ${finding.found}`}`
    const before = byCause.get(key)
    byCause.set(key, before ? { ...before, otherPlaces: before.otherPlaces + 1 } : { ...finding, otherPlaces: 0 })
  }
  const all = [...byCause.values()]
  const problems = all.filter(group => group.severity === 'problem')
  const isReported = ({ file, line, found }: DoctorFinding): boolean =>
    file !== undefined &&
    problems.some(problem => problem.file === file && problem.line === line && found.endsWith(problem.found))
  return [...problems, ...all.filter(group => group.severity === 'note' && !isReported(group))]
}
