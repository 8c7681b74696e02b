// Stands in for `@neon-rs/load` and `detect-libc` inside dist/libsql.cjs: both together take ten times as long to find
// out which prebuilt binary fits (a diagnostic report, child_process) as it takes to load it.
const { existsSync } = require('node:fs')

const ABI = { linux: { arm: '-gnueabihf', other: '-gnu' }, win32: { other: '-msvc' } }
const isMusl = () => existsSync('/etc/alpine-release') || !['/lib64', '/lib', '/usr/lib'].some(hasGlibc)
const hasGlibc = folder =>
  ['ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1', 'ld-linux-armhf.so.3'].some(name => existsSync(`${folder}/${name}`))

exports.GLIBC = 'glibc'
exports.MUSL = 'musl'
exports.familySync = () => (process.platform === 'linux' ? (isMusl() ? 'musl' : 'glibc') : null)
exports.currentTarget = () => {
  const { platform, arch } = process
  if (platform === 'linux' && arch !== 'arm' && isMusl()) return `linux-${arch}-musl`
  return `${platform}-${arch}${ABI[platform]?.[arch] ?? ABI[platform]?.other ?? ''}`
}
