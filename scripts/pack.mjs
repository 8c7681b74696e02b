// What is published: `node scripts/pack.mjs [FOLDER]` after `npm run build` and `node scripts/native.mjs --packages`. A tarball for each platform, and the
// program's own, which names them as optional dependencies. Only there: a checkout must install without packages that are not published yet.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { NAME } from './native.mjs'

const out = resolve(process.argv[2] ?? 'pack')
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

const platforms = readdirSync('packages').map(folder => {
  const { name, version } = JSON.parse(readFileSync(join('packages', folder, 'package.json'), 'utf8'))
  if (version !== manifest.version) throw new Error(`${name} is ${version}, the program ${manifest.version}`)
  return { folder: join('packages', folder), name }
})
const built = platforms.filter(({ folder }) => existsSync(join(folder, NAME)))
for (const { name } of platforms.filter(one => !built.includes(one))) console.error(`left out: ${name} is not built`)

mkdirSync(out, { recursive: true })
const stage = mkdtempSync(join(tmpdir(), 'signalbox-pack-'))
try {
  for (const name of ['README.md', 'LICENSE', ...manifest.files.filter(one => !one.startsWith('!'))])
    if (existsSync(name)) cpSync(name, join(stage, name), { recursive: true })
  // each machine gets the one that is made for it
  rmSync(join(stage, 'dist/native'), { recursive: true, force: true })
  const { scripts: _s, devDependencies: _d, overrides: _o, workspaces: _w, ...published } = manifest
  const optionalDependencies = Object.fromEntries(built.map(({ name }) => [name, manifest.version]))
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify({ ...published, optionalDependencies }, null, 2)}\n`)
  for (const folder of [...built.map(one => one.folder), stage]) {
    const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', '--pack-destination', out], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    console.log(join(out, stdout.trim()))
  }
} finally {
  rmSync(stage, { recursive: true, force: true })
}
