import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, clients } from '../../clients/index.ts'
import { clientSettings } from '../../clients/settings.ts'
import { resolveClientFile } from './install-paths.ts'

/** The installed agents: their program is on the PATH, or their folder exists. */
export const detectClients = (paths: Parameters<typeof resolveClientFile>[2]): readonly Client[] =>
  clientSettings.flatMap(({ id, programs, folders }) => {
    const client = clients.find(candidate => candidate.id === id)
    if (!client) return []
    const isHere =
      programs.some(name => isOnPath(name, paths.env.PATH)) ||
      folders.some(folder => existsSync(resolveClientFile(`${folder}/`, client, paths) ?? ''))
    return isHere ? [client] : []
  })

export const isOnPath = (name: string, path = ''): boolean =>
  path.split(':').some(folder => {
    try {
      accessSync(join(folder || '.', name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
