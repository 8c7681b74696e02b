import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { PolicyUnit } from '../compile/context.ts'
import { policyErrorAt, policyErrorOfFile } from '../parse/policy-error.ts'
import type { PackContext } from './config-keys.ts'
import { loadPack } from './pack.ts'

/** One list `use`, and the pack that it belongs to; absent for the list of the layer itself. */
interface UseList {
  readonly entries: readonly Json[]
  readonly context: PackContext
  readonly of?: PolicyUnit
}

/** Every pack that a layer uses, also through other packs. A pack that the layer names itself replaces the one that another pack names. */
export function loadUsedPacks(use: readonly Json[], context: PackContext): readonly PolicyUnit[] {
  const named = new Set(use.map(packNameOf))
  return new PackLoader(named).load({ entries: use, context })
}

const packNameOf = (entry: Json): string => {
  const name = typeof entry === 'string' ? entry : isObject(entry) ? (Object.keys(entry)[0] ?? '') : ''
  return name.slice(name.lastIndexOf('/') + 1)
}

class PackLoader {
  readonly #named: ReadonlySet<string>
  /** packs that another pack has brought: name → the name of that pack */
  readonly #namedBy = new Map<string, string>()

  constructor(named: ReadonlySet<string>) {
    this.#named = named
  }

  load({ entries, context, of }: UseList): readonly PolicyUnit[] {
    return entries.flatMap((entry, index) => {
      if (typeof entry !== 'string' && !isObject(entry)) return []
      if (of && !this.#isWanted(entry, entries, index, of, context)) return []
      const unit = loadPack(entry, entries, index, context, of?.pack)
      if (unit === null) return []
      return [unit, ...this.#usedBy(unit, context)]
    })
  }

  #usedBy(unit: PolicyUnit, context: PackContext): readonly PolicyUnit[] {
    const { uses = [] } = unit.pack ?? {}
    if (uses.length === 0) return []
    // paths and texts in the list of a pack are relative to that pack
    const user = { ...context.user, file: unit.file, folder: unit.folder }
    return this.load({ entries: uses, context: { ...context, user }, of: unit })
  }

  /** The layer's own entry wins. Two packs that bring the same one would be two instances with other options: the layer has to choose. */
  #isWanted(
    entry: string | JsonObject,
    list: object,
    index: number,
    { pack }: PolicyUnit,
    { places, problems, user }: PackContext,
  ): boolean {
    const name = packNameOf(entry)
    const refuse = (message: string, help: string): false => {
      const at = places.value(list, index)
      problems.push(at ? policyErrorAt(at, message, { help }) : policyErrorOfFile(user.file, message, help))
      return false
    }
    const chain = usersOf(pack)
    if (chain.includes(name))
      return refuse(
        `pack \`${name}\` uses itself`,
        [...chain.reverse(), name].map(each => `\`${each}\``).join(' uses '),
      )
    if (this.#named.has(name)) return false
    const first = this.#namedBy.get(name)
    if (first !== undefined)
      return refuse(
        `\`${first}\` and \`${pack?.id ?? ''}\` both use the pack \`${name}\``,
        `write \`${name}\` into your own \`use\`: your entry replaces both`,
      )
    this.#namedBy.set(name, pack?.id ?? '')
    return true
  }
}

/** The pack and those that use it, innermost first. */
function usersOf(pack: PolicyUnit['pack']): string[] {
  return pack ? [pack.id, ...usersOf(pack.usedBy)] : []
}
