// The pages of the dashboard, made by Vite. What was made of the very same files is taken over as it is.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STAMP = 'made-of'

/** `out` is where they go, `before` where an earlier build may have left them. */
export async function buildUi(out, before) {
  const stamp = inputs()
  if (existsSync(join(before, STAMP)) && readFileSync(join(before, STAMP), 'utf8') === stamp) {
    cpSync(before, out, { recursive: true })
    return
  }
  const { build } = await import('vite')
  await build({ configFile: 'ui/vite.config.ts', logLevel: 'warn', build: { outDir: join(process.cwd(), out) } })
  writeFileSync(join(out, STAMP), stamp)
}

function inputs() {
  const pages = readdirSync('ui', { recursive: true, withFileTypes: true })
    .filter(one => one.isFile() && !(one.parentPath ?? one.path).includes('node_modules'))
    .map(one => join(one.parentPath ?? one.path, one.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [...pages, 'package-lock.json', 'scripts/ui.mjs'])
    hash.update(`${file}\n`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}
