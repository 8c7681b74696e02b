import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkflowStep } from '../../../policy/index.ts'
import type { StoredArtifact, StoredStep } from '../../../store/index.ts'

/** Undefined if the artifact is missing or not a regular file. A link could point anywhere. */
export function readArtifact(root: string, path: string): StoredArtifact | undefined {
  const file = join(root, path)
  try {
    if (!lstatSync(file).isFile()) return undefined
    const content = readFileSync(file)
    return { path, sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length }
  } catch {
    return undefined
  }
}

/** The current hash of each artifact; null if it is missing. */
export const hashArtifacts = (root: string, paths: readonly string[]): Readonly<Record<string, string | null>> =>
  Object.fromEntries(paths.map(path => [path, readArtifact(root, path)?.sha256 ?? null]))

/** What is wrong with the artifacts that a step must leave, in a few words. */
export function findArtifactProblem(
  root: string,
  { artifacts }: WorkflowStep,
  before: StoredStep['before'],
): string | undefined {
  for (const path of artifacts) {
    const found = readArtifact(root, path)
    if (!found) return `it did not write ${path}`
    if (found.bytes === 0) return `it wrote ${path} as an empty file`
    if (found.sha256 === before[path]) return `it did not change ${path}`
  }
  return undefined
}

/** Artifacts that were removed or changed after their step. */
export function artifactChanges(root: string, artifacts: readonly StoredArtifact[]) {
  const now = artifacts.map(artifact => ({ ...artifact, now: readArtifact(root, artifact.path)?.sha256 }))
  return {
    gone: now.filter(candidate => candidate.now === undefined).map(item => item.path),
    changed: now
      .filter(candidate => candidate.now !== undefined && candidate.now !== candidate.sha256)
      .map(item => item.path),
  }
}
