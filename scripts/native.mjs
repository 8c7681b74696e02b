// Builds the native hook: `node scripts/native.mjs` into dist/native/, `--packages` for every platform into packages/.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const WARNINGS = [
  ...['-Wall', '-Wextra', '-Werror', '-Wpedantic', '-Wshadow', '-Wconversion', '-Wsign-conversion', '-Wcast-qual'],
  ...['-Wstrict-prototypes', '-Wmissing-prototypes', '-Wformat=2', '-Wundef', '-Wvla'],
]
/** The same for the hook and for what it is measured against. */
export const FLAGS = ['-std=c11', '-O2', ...WARNINGS, `-DVERSION="${version}"`]
export const NAME = 'signalbox-hook'

const sourcesIn = folder => readdirSync(folder).flatMap(name => (name.endsWith('.c') ? [join(folder, name)] : []))
export const SOURCES = sourcesIn(join(ROOT, 'native'))

/** What the compiler says where it cannot, else nothing. */
export function compile([command, ...words], { sources = SOURCES, flags = [], out }) {
  mkdirSync(dirname(out), { recursive: true })
  const ran = spawnSync(command, [...words, ...FLAGS, ...flags, '-o', out, ...sources], { encoding: 'utf8' })
  if (ran.error) return ran.error.message
  return ran.status === 0 ? '' : `${ran.stderr}${ran.stdout}`
}

export const isThere = command => !spawnSync(command, ['--version'], { stdio: 'ignore' }).error

/** Static and small where musl is; with whatever C compiler there is else. */
export function hostCompilers() {
  const fixed = process.platform === 'linux' ? ['-static', '-s'] : []
  const all = process.env.CC ? [process.env.CC] : ['musl-gcc', 'cc', 'gcc', 'clang']
  const there = all.filter(isThere)
  return [
    ...there.map(name => ({ command: [name], flags: fixed })),
    // some systems have no static C library
    ...(fixed.length > 0 ? there.map(name => ({ command: [name], flags: ['-s'] })) : []),
  ]
}

/** For this machine. Gives the compiler's words where none could, `undefined` where there is none, '' when it is built. */
export function buildForHost(out, sources = SOURCES) {
  const compilers = hostCompilers()
  let said
  for (const { command, flags } of compilers) {
    const problem = compile(command, { sources, flags, out })
    if (problem === '') return ''
    said ??= problem
  }
  return said
}

const zig = (process.env.ZIG ?? 'zig').split(' ')
const musl = { command: ['musl-gcc'], flags: ['-static', '-s'] }
const byZig = target => ({ command: [...zig, 'cc', '-target', target], flags: ['-s'] })

/** Who can build for which platform, the best first, and who can run it here. */
const PLATFORMS = {
  'linux-x64': {
    builders: [...(process.arch === 'x64' ? [musl] : []), byZig('x86_64-linux-musl')],
    runners: process.platform === 'linux' && process.arch === 'x64' ? [[]] : [],
  },
  'linux-arm64': {
    builders: [
      ...(process.arch === 'arm64' ? [musl] : []),
      byZig('aarch64-linux-musl'),
      { command: ['aarch64-linux-gnu-gcc'], flags: ['-static', '-s'] },
    ],
    runners: process.platform === 'linux' ? [process.arch === 'arm64' ? [] : ['qemu-aarch64-static']] : [],
  },
  'darwin-x64': {
    builders: [byZig('x86_64-macos')],
    runners: process.platform === 'darwin' ? [[]] : [],
  },
  'darwin-arm64': {
    builders: [byZig('aarch64-macos')],
    runners: process.platform === 'darwin' && process.arch === 'arm64' ? [[]] : [],
  },
}

/** Every platform package that can be built here. Says of each by whom, and whether it was run. */
export function buildPackages() {
  return Object.entries(PLATFORMS).map(([platform, { builders, runners }]) => {
    const out = join(ROOT, 'packages', `hook-${platform}`, NAME)
    rmSync(out, { force: true })
    const builder = builders.find(
      ({ command, flags }) => isThere(command[0]) && compile(command, { flags, out }) === '',
    )
    if (!builder || !existsSync(out)) return { platform, builder: undefined, ran: false }
    chmodSync(out, 0o755)
    const ran = runners.some(
      runner =>
        spawnSync([...runner, out][0], [...runner.slice(1), ...(runner.length > 0 ? [out] : []), '--version'], {
          encoding: 'utf8',
        }).stdout === `${NAME} ${version}\n`,
    )
    return { platform, builder: builder.command.join(' '), ran }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--packages')) {
    const built = buildPackages()
    for (const { platform, builder, ran } of built) {
      console.log(
        `${platform.padEnd(14)} ${builder ? `built by ${builder}, ${ran ? 'executed here' : 'not executed here'}` : 'not built: no compiler for it (set ZIG)'}`,
      )
    }
    process.exitCode = built.every(({ builder }) => builder) ? 0 : 1
  } else {
    const problem = buildForHost(join(ROOT, 'dist/native', NAME))
    console.log(problem === '' ? `dist/native/${NAME}` : (problem ?? 'no C compiler: the hook will run one-shot'))
  }
}
