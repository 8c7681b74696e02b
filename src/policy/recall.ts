import { type Kept, lastGoodFile, lastGoodText, parseLastGood } from './last-good.ts'
import { parseProof, proofFile, proofText, type Refuted } from './proofs.ts'

/** What is known of policies from before, and the files that was read from: when another one is there, all is compiled anew. */
export class Recall {
  readonly looked = new Map<string, string | null>()

  constructor(private readonly from: { readonly stateDir: string; readonly unproven?: boolean }) {}

  lastGood(file: string): readonly Kept[] {
    const text = lastGoodText(this.from.stateDir, file)
    this.looked.set(lastGoodFile(this.from.stateDir, file), text)
    return parseLastGood(text, file)
  }

  /** How an agent gets stuck in it, unless a person wants it so. */
  refuted(hash: string): Refuted | undefined {
    const { stateDir, unproven } = this.from
    if (unproven) return undefined
    const text = proofText(stateDir, hash)
    this.looked.set(proofFile(stateDir, hash), text)
    const told = parseProof(text)
    return told?.accepted ? undefined : told?.refuted
  }
}
