import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Layer } from '../../engine/index.ts'
import { readRegularFile, readTextIfExists, statIfExists, writeFileAtomically } from '../../lib/files.ts'
import { isObject } from '../../lib/json.ts'
import type { LayerReport } from '../compile/layer-report.ts'
import { LIMIT_EXCEEDED_HELP, MAX_POLICY_BYTES } from '../limits.ts'
import { type PolicyError, policyErrorOfFile } from '../parse/policy-error.ts'
import { exposureOf } from './exposed-file.ts'

export const POLICY_FILE = 'signalbox.yaml'

export interface LayerFile {
  readonly layer: Layer
  readonly file: string
  /** null if the file cannot be read; `problem` says why */
  readonly text: string | null
  readonly problem?: PolicyError
  /** why other users could have written it: what it runs or loosens then has no effect. Only for policies that need no trust otherwise */
  readonly exposed?: string
}

interface LayerSearchResult {
  /** strongest layer first */
  readonly files: readonly LayerFile[]
  readonly warnings: readonly PolicyError[]
  /** files that do not exist: creating one of them changes the policy in force */
  readonly absent: readonly string[]
}

export interface PolicyLocations {
  readonly root: string
  readonly cwd: string
  readonly home: string
  readonly userFile: string
  readonly managedFile: string
  /** the policy that is always in force; part of Signalbox */
  readonly builtInFile: string
  /** the layers to read; absent: all */
  readonly only?: readonly Layer[]
}

/** The user's own and managed policies have no limits: their authors are trusted with the time they take. */
export const isLimitedLayer = (layer: Layer): boolean => layer === 'project' || layer === 'nested'

/** Finds the policy files that apply in `cwd`. */
export function findLayers({
  root,
  cwd,
  userFile,
  managedFile,
  builtInFile,
  only,
}: PolicyLocations): LayerSearchResult {
  const wanted: { layer: LayerFile['layer']; file: string }[] = [
    { layer: 'managed', file: managedFile },
    { layer: 'user', file: userFile },
    { layer: 'project', file: join(root, POLICY_FILE) },
    ...foldersBetween(root, cwd)
      .slice(0, MAX_FOLDERS)
      .map(folder => ({ layer: 'nested' as const, file: join(folder, POLICY_FILE) })),
    { layer: 'built-in', file: builtInFile },
  ]
  const files: LayerFile[] = []
  const warnings: PolicyError[] = []
  const absent: string[] = []
  let room = MAX_POLICY_BYTES
  for (const { layer, file } of wanted.filter(candidate => only === undefined || only.includes(candidate.layer))) {
    // the project may be the user's own folder: a file counts once, as the stronger layer
    if (files.some(layerFile => layerFile.file === file)) continue
    const found = readLayer(layer, file, isLimitedLayer(layer) ? room : undefined)
    if (isLimitedLayer(layer) && found && 'text' in found) room -= Buffer.byteLength(found.text ?? '')
    if (found === null) {
      warnings.push(...warnOfYmlName(file))
      absent.push(file, ymlNameOf(file))
    } else if ('warning' in found) warnings.push(found.warning)
    else files.push(found)
  }
  return { files, warnings, absent }
}

/** Nobody works deeper than this below the root, and each folder costs every call a file check. */
const MAX_FOLDERS = 100

/** The folders from below the root down to `cwd`, nearest to the root first. */
function foldersBetween(root: string, cwd: string): readonly string[] {
  const below = relative(root, cwd)
  if (below === '' || below.startsWith('..') || below.startsWith(sep)) return []
  const parts = below.split(sep)
  return parts.map((_, index) => join(root, ...parts.slice(0, index + 1)))
}

function readLayer(
  layer: LayerFile['layer'],
  file: string,
  room: number | undefined,
): LayerFile | { warning: PolicyError } | null {
  try {
    const stat = statIfExists(file)
    if (!stat) return null
    const me = process.getuid?.()
    // the built-in policy belongs to the owner of the installation, which may be another user
    if (layer !== 'built-in' && me !== undefined && stat.uid !== me && stat.uid !== 0) {
      const problem = policyErrorOfFile(file, 'this policy is ignored: another user owns it', 'chown it if it is yours')
      // the previous version stays in force: another user who can put a file there must not switch the gates off
      return layer === 'user' ? { layer, file, text: null, problem } : { warning: problem }
    }
    if (room !== undefined && stat.isFile() && stat.size > room) return createTooLargeLayer(layer, file)
    const text = readRegularFile(file)
    const exposed = layer === 'user' || layer === 'managed' ? exposureOf(file) : undefined
    return { layer, file, text, ...(exposed !== undefined && { exposed }) }
  } catch (error) {
    const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'unreadable'
    return { layer, file, text: null, problem: policyErrorOfFile(file, `the policy cannot be read (${why})`) }
  }
}

const createTooLargeLayer = (layer: LayerFile['layer'], file: string): LayerFile => {
  const most = `${MAX_POLICY_BYTES / 1_000_000} MB`
  return {
    layer,
    file,
    text: null,
    problem: policyErrorOfFile(file, `the policies of a project are limited to ${most} together`, LIMIT_EXCEEDED_HELP),
  }
}

function warnOfYmlName(file: string): readonly PolicyError[] {
  const other = ymlNameOf(file)
  return existsSync(other)
    ? [policyErrorOfFile(other, '`signalbox.yml` is not read', 'rename it to `signalbox.yaml`')]
    : []
}

const ymlNameOf = (file: string): string => join(dirname(file), 'signalbox.yml')

const trustFileIn = (stateDir: string): string => join(stateDir, 'trust.json')

/** The hash that a person has trusted, by folder of the policy file (the project root, or a nested folder). */
export type TrustedHashes = Readonly<Record<string, string>>

/** Returns the trusted hashes, the file that holds them, and its text (null: no file). */
export function readTrust(stateDir: string): { trust: TrustedHashes; file: string; text: string | null } {
  const file = trustFileIn(stateDir)
  const text = readTextIfExists(file)
  return { trust: text === null ? {} : parseTrust(text), file, text }
}

function parseTrust(text: string): TrustedHashes {
  try {
    const content: unknown = JSON.parse(text)
    if (!isObject(content)) return {}
    return Object.fromEntries(
      Object.entries(content).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    )
  } catch {
    return {}
  }
}

export const trustedHashOf = (trust: TrustedHashes, file: string): string | undefined => {
  const folder = dirname(file)
  return Object.hasOwn(trust, folder) ? trust[folder] : undefined
}

/** Trusts the current hash of a layer; `null` revokes the trust. Returns false if the file could not be written. */
export function setTrust(stateDir: string, file: string, hash: string | null): boolean {
  const { [dirname(file)]: _, ...others } = readTrust(stateDir).trust
  const next = hash === null ? others : { ...others, [dirname(file)]: hash }
  return writeFileAtomically(trustFileIn(stateDir), `${JSON.stringify(next, null, 2)}\n`)
}

/** Policies that come with a repository need a person's trust; policies that other users could have written are never trusted. */
export const isOwnPolicy = ({
  layer,
  exposed,
}: {
  readonly layer: Layer
  readonly exposed?: string | undefined
}): boolean => layer !== 'project' && layer !== 'nested' && exposed === undefined

/** A request for trust. Each project layer that runs or loosens something has one. */
interface TrustRequest {
  readonly file: string
  readonly hash: string
  readonly trusted: boolean
  readonly needsTrust: readonly string[]
}

export const trustRequestsOf = (layers: readonly LayerReport[]): readonly TrustRequest[] =>
  layers
    .filter(({ layer, needsTrust }) => (layer === 'project' || layer === 'nested') && needsTrust.length > 0)
    .map(({ file, trustHash, trusted, needsTrust }) => ({ file, hash: trustHash, trusted, needsTrust }))
