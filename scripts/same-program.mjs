// Proves that a commit only renames and moves.
//
//   node scripts/same-program.mjs BEFORE [AFTER] [--moves FILE] [--properties FILE]
//
// BEFORE and AFTER are commits; AFTER is the work tree unless given. Every module of src/ and ui/src/ is stripped of its types. Both sides
// must then have the same statements in the same order, but for
//   - variables, functions and classes: each identifier is followed to its declaration, through imports and any chain of re-exports, and
//     the declarations of both sides must map one to one,
//   - paths of modules: `--moves FILE` ({ "old path": "new path" }), else the only module of the same shape, else git's own detection,
//   - properties and strings that `--properties FILE` lists ({ "old": "new" }), and all others must be equal; a
//     listed one that keeps its name in some places is noted.
// A module that only passes on what others export may come, go and change: what it leads to is compared where it is used. Exported names
// must stay or be listed in a module that no module imports; and, as far as any code asks for a property or string of that name, in one
// that is passed on as a whole (`import * as`, `import()`) or that scripts/build.mjs makes a file of.
// What is not compared: types, comments, and in which order modules are loaded.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { differences } from './same-program/compare.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { moves: { type: 'string' }, properties: { type: 'string' } },
})
const [before, after] = positionals
if (!before) {
  console.error('usage: node scripts/same-program.mjs BEFORE [AFTER] [--moves FILE] [--properties FILE]')
  process.exit(2)
}
const listIn = file => (file ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [])

function git(args, input) {
  const { status, stdout, stderr } = spawnSync('git', args, { input, maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(String(stderr))
  return stdout
}
const lines = output => String(output).split('\n').filter(Boolean)
const isSource = path => /^(src|ui\/src)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts')

/** Path → text in a commit. `cat-file --batch` answers each object with a line that ends in its size, the content, and a line break. */
function filesOf(commit) {
  const paths = lines(git(['ls-tree', '-r', '--name-only', commit])).filter(isSource)
  const output = git(['cat-file', '--batch'], paths.map(path => `${commit}:${path}\n`).join(''))
  let at = 0
  return new Map(
    paths.map(path => {
      const start = output.indexOf('\n', at) + 1
      const size = Number(output.subarray(at, start).toString().trim().split(' ').at(-1))
      at = start + size + 1
      return [path, output.subarray(start, start + size).toString()]
    }),
  )
}

/** Path → text in the work tree, with new files and without deleted ones. */
const filesHere = () =>
  new Map(
    lines(git(['ls-files', '-c', '-o', '--exclude-standard']))
      .filter(path => isSource(path) && existsSync(path))
      .map(path => [path, readFileSync(path, 'utf8')]),
  )

const renames = lines(
  git(['diff', '--name-status', '--find-renames=30%', '-l0', '--diff-filter=R', before, ...(after ? [after] : [])]),
).map(line => line.split('\t').slice(1))

/** The modules that the build makes files of: the program loads some by file, and asks for names in them. */
const entries = lines(git(['ls-tree', '--name-only', before, 'scripts/build.mjs']))
  .flatMap(path => [...String(git(['show', `${before}:${path}`])).matchAll(/'(src\/[\w/.-]+\.tsx?)'/g)])
  .map(([, path]) => path)

const old = filesOf(before)
const { problems, notes } = await differences(old, after ? filesOf(after) : filesHere(), {
  moves: new Map(listIn(values.moves)),
  guesses: new Map(renames),
  properties: new Map(listIn(values.properties)),
  entries,
})
for (const line of [...notes, ...problems]) console.log(line)
const count = `${old.size} modules`
console.log(problems.length === 0 ? `the same program: ${count}` : `${problems.length} differences in ${count}`)
process.exit(problems.length === 0 ? 0 : 1)
