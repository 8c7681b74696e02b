import { scriptTextOf } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileActions, addOpaqueAction, isPackageRunner, type ProgramCall } from '../../calls/program-call.ts'
import { SCRIPT_RUNNER_FLAGS } from '../check-programs.ts'
import { readEmbeddedRun } from './embedded-run.ts'

/** `npm exec -c 'line'` and `npx -c 'line'` pass a line to the shell. */
function readPackageExec(call: ProgramCall): void {
  readEmbeddedRun(call)
  // `--config…` can set anything, including the shell that runs scripts
  if (call.line.options.some(({ name }) => name.startsWith('--config'))) addOpaqueAction(call)
  if (!isPackageRunner(call)) return
  for (const { name, value } of call.line.options) {
    // the tool then comes from another package
    if (/^(-p|--pac?k?a?g?e?)$/.test(name)) call.altered = true
    if (name === '-c' || name === '--call') call.inner.push({ run: { script: value ? scriptTextOf(value) : null } })
    else if (name.length > 3 && '--call'.startsWith(name)) addOpaqueAction(call)
  }
  const [tool, ...files] = call.line.operands.slice(call.program === 'npx' ? 0 : 1)
  if (DELETING_PACKAGES.test(tool?.text ?? '')) addFileActions(call, 'delete', files)
}

/** Packages that delete the files they are given. */
const DELETING_PACKAGES = /^(rimraf|del-cli|trash-cli)(@.*)?$/

const npm: ProgramDescription = {
  oneDash: true,
  flags: `${SCRIPT_RUNNER_FLAGS} -g -D -S -E -O -P -y -f -ws --global --save-dev --save-exact --force --yes --production --if-present --workspaces --json --legacy-peer-deps --frozen-lockfile --ignore-scripts`,
  values:
    '--prefix -w --workspace -C --dir --registry --tag --otp --loglevel --cwd --filter -F --omit --include -c --call -p --package',
  // each option names a program, or a file that names one
  runs: '--script-shell --node-options --userconfig --globalconfig --git --shell --editor --browser --viewer --init-module --node-gyp --use-yarnrc --modules-folder --modules-dir --pnpmfile --global-pnpmfile --use-node-version',
  special: readPackageExec,
}

export const PACKAGE_RUNNERS: Readonly<Record<string, ProgramDescription>> = {
  npm,
  // yarn reads the text behind one dash as single letters
  yarn: { ...npm, oneDash: false },
  // in pnpm `-w` means the workspace root and takes no value
  pnpm: { ...npm, flags: `${npm.flags} -w`, values: npm.values?.replace(' -w ', ' ') ?? '' },
  npx: npm,
  bunx: { special: readEmbeddedRun },
}
