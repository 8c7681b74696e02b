import { agentsHere } from '../doctor/index.ts'
import { readProof, rememberProof } from '../policy/index.ts'
import { type ExitCode, notAPerson, type Terminal } from './command.ts'
import { audit } from './lifting.ts'
import { openProject, type Project } from './project.ts'
import { type Proving, proveProject, rememberedOf } from './proof.ts'

export interface ProvenHere {
  /** as it is written */
  readonly project: Project
  readonly proof: Proving
  /** what answers in its place, or itself */
  readonly inForce: Project
}

/** More earlier versions than these are not kept. */
const MOST_ROUNDS = 8

/**
 * Proves the policy as it is written, and keeps what was found: from then on it is in force or not. What is in force in its place is
 * proven too, so that whatever answers has a verdict.
 */
export function proveHere(terminal: Terminal): ProvenHere {
  const project = openProject(terminal, { unproven: true })
  const told = toldHere(project, terminal)
  const keep = (one: Project): Proving => {
    const proof = proveProject(one, [], terminal)
    rememberProof(one.folders.state, one.policy.program.hash, rememberedOf(proof, told))
    return proof
  }
  const proof = keep(project)
  let inForce = openProject(terminal)
  for (let round = 0; round < MOST_ROUNDS && !isKnown(inForce); round++) {
    keep(inForce)
    inForce = openProject(terminal)
  }
  return { project, proof, inForce }
}

const isKnown = ({ folders, policy }: Project): boolean => readProof(folders.state, policy.program.hash) !== undefined

/** Agents that call Signalbox here. */
const toldHere = ({ root, folders }: Project, { env }: Terminal): readonly string[] =>
  agentsHere({ root, home: folders.home, env })
    .filter(({ hooks }) => hooks.some(one => one.ours))
    .map(({ client }) => client.id)

/** A person wants it enforced although an agent can get stuck in it. It holds for this very policy: any change asks again. */
export async function accept({ project: { folders, policy } }: ProvenHere, terminal: Terminal): Promise<ExitCode> {
  const { hash } = policy.program
  const found = readProof(folders.state, hash)
  if (!found?.refuted) {
    terminal.out('Nothing to accept: no agent was found to get stuck in it.\n')
    return 0
  }
  if (!terminal.isPerson) {
    audit(folders, 'proof.refused', terminal.doubt ?? 'there is no terminal', terminal)
    return notAPerson('check --accept', terminal)
  }
  if (!/^y(es)?$/i.test((await terminal.ask('Enforce exactly this, until any of it changes? [y/N] ')).trim())) {
    terminal.out('Nothing was changed.\n')
    return 1
  }
  rememberProof(folders.state, hash, { ...found, accepted: true })
  if (!readProof(folders.state, hash)?.accepted) {
    terminal.err(`signalbox check: could not write to ${folders.state}\n`)
    return 2
  }
  audit(folders, 'proof.accepted', `${found.refuted.at} ${hash.slice(0, 12)}`, terminal)
  terminal.out('Accepted: it is in force.\n')
  return 0
}
