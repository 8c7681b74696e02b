import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkups } from '../clients/checkups.ts'
import { clientById } from '../clients/index.ts'
import { registeringById } from '../clients/registers.ts'
import type { Agent, Env } from './case.ts'
import { hooksIn, pluginIn } from './hooks.ts'
import { openAll, placeOf } from './read.ts'

/** The agents on this machine: those whose program can be run, or whose settings name a hook of ours. The rest get no row. */
export function agentsHere(where: {
  readonly root: string
  readonly home: string
  readonly env: Env
}): readonly Agent[] {
  return checkups.flatMap(checkup => {
    const client = clientById(checkup.id)
    const registering = registeringById(checkup.id)
    if (!client || !registering) return []
    const place = { ...where, moves: client.moves }
    const settings = openAll(checkup.files, place)
    const beside = openAll(checkup.beside ?? [], place)
    const found = settings.files.map(file =>
      checkup.shape === 'code' ? pluginIn(file, checkup) : hooksIn(file, checkup),
    )
    const agent: Agent = {
      ...{ client, checkup, registering },
      program: registering.programs.map(name => programIn(name, where.env.PATH)).find(one => one !== undefined),
      own: Object.values(registering.files).map(path => placeOf(path, place)),
      files: [...settings.files, ...beside.files],
      faults: [...settings.faults, ...beside.faults, ...found.flatMap(one => one.faults)],
      hooks: found.flatMap(one => one.hooks),
    }
    const isHere =
      agent.program !== undefined || agent.hooks.some(one => one.ours) || agent.faults.some(one => one.ours)
    return isHere ? [agent] : []
  })
}

/** A program that can be run, on the PATH or by its path. */
export function programIn(name: string, path = ''): string | undefined {
  const places = name.includes('/') ? [name] : path.split(':').map(folder => join(folder || '.', name))
  return places.find(isProgram)
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

export const isThere = (file: string): boolean => existsSync(file)
