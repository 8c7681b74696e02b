import type { WrapperSpec } from '../wrappers/wrapper-spec.ts'
import type { RunSpecs } from './run-specs.ts'

const HELP = '-h --help --version'

const UV_RUN: WrapperSpec = {
  values:
    '--with --with-editable --with-requirements --extra --group --no-group --only-group --python -p --env-file --package --index --default-index --index-url -i --extra-index-url --find-links --directory --project --cache-dir -P --upgrade-package --from',
  flags: `${HELP} --frozen --locked --no-sync --isolated --active --no-project --all-extras --no-dev --dev --only-dev --no-env-file --offline -q --quiet -v --verbose --exact --all-packages --all-groups --no-default-groups -n --no-cache -U --upgrade --refresh`,
  folder: '--directory',
  keeps: true,
}

const POETRY_RUN: WrapperSpec = { flags: `${HELP} -q -v -vv -vvv -n --no-interaction --no-ansi --ansi`, keeps: true }

const CONDA_RUN: WrapperSpec = {
  values: '-n -p --name --prefix --cwd',
  flags: `${HELP} -v --verbose --dev --no-capture-output --live-stream`,
  folder: '--cwd',
  keeps: true,
}

const MISE_EXEC: WrapperSpec = {
  script: '-c --command',
  trailing: 'anywhere',
  values: '-C --cd -j --jobs -E --env',
  flags: `${HELP} -q -v -y --quiet --verbose --yes --raw --fresh-env --no-prepare`,
  dashes: true,
  folder: '-C --cd',
  keeps: true,
}

/** `op run -- cmd`, `doppler run --command 'cmd'` */
const SECRETS_RUN: WrapperSpec = {
  script: '--command',
  trailing: 'anywhere',
  values:
    '--env-file --account --project -p --config -c --token -t --env --path --projectId --scope --domain -e --environment',
  flags: `${HELP} --no-masking --silent --preserve-env --watch --fallback-only --no-fallback --recursive`,
  dashes: true,
  keeps: true,
}

const NIX_SHELL: WrapperSpec = {
  script: '--run --command',
  trailing: 'anywhere',
  values: '-I -A -E --attr --expr --arg --argstr',
  flags: '-p --packages --pure',
  dashes: true,
}

const TMUX_START: WrapperSpec = {
  values: '-s -n -c -t -x -y -F -e -f -l -T',
  flags: '-d -A -D -E -P -X -a -b -k -h -v -Z -I',
  joins: true,
  folder: '-c -t',
}

/** `npx tool words`, `pipx run tool`: programs that fetch a tool and run it. */
const TOOL_RUN: WrapperSpec = {
  values: '--spec --python --pip-args --index-url -i --with --from -p',
  flags: `${HELP} --no-cache --verbose -v -q --quiet --isolated --no-path-check --offline`,
  keeps: true,
}

const run = (spec: WrapperSpec, before?: string): RunSpecs => ({ verbs: { run: spec }, ...(before && { before }) })
const exec = (spec: WrapperSpec, before?: string): RunSpecs => ({ verbs: { exec: spec }, ...(before && { before }) })

const project = run(POETRY_RUN, '-e --env -p --project')
const conda = run(CONDA_RUN)
const mise: RunSpecs = { verbs: { exec: MISE_EXEC, x: MISE_EXEC }, before: '-C --cd -E --env -j --jobs' }
const secrets = run(SECRETS_RUN)

/** Programs of this machine that run a command with their own environment, version or window. */
export const LOCAL_RUNNERS: Readonly<Record<string, RunSpecs>> = {
  uv: { verbs: { run: UV_RUN, 'tool run': UV_RUN }, before: '--directory --project --cache-dir --config-file --color' },
  uvx: { verbs: { '': UV_RUN } },
  pipx: run(TOOL_RUN),
  poetry: run(POETRY_RUN, '-C --directory -P --project'),
  pipenv: project,
  rye: project,
  hatch: project,
  pdm: run({ ...POETRY_RUN, values: '-p --project' }, '-c --config'),
  conda,
  mamba: conda,
  micromamba: conda,
  bundle: exec({ flags: '--keep-file-descriptors --verbose', keeps: true }),
  mise,
  rtx: mise,
  asdf: { verbs: { exec: { keeps: true }, env: { skip: 1 } } },
  direnv: exec({ skip: 1 }),
  // of Python, `dotenv run cmd`; of Node, `dotenv -e .env -- cmd`
  dotenv: {
    verbs: {
      run: { values: '-f --file -q --quote', flags: '--override --no-override', keeps: true },
      '--': { values: '-e -v -c -p -f --file', flags: '-o --override', dashes: true },
    },
    before: '-f --file -q --quote -e -v -c',
  },
  op: secrets,
  doppler: secrets,
  infisical: secrets,
  'aws-vault': exec({
    values: '-d --duration -t --mfa-token --region --backend --prompt',
    flags: '-n --no-session -j --json -s --server --ec2-server --ecs-server --lazy --stdout',
    skip: 1,
    keeps: true,
  }),
  'systemd-run': {
    verbs: {
      '': {
        values:
          '-p --property -u --unit -E --setenv --uid --gid --slice --description --working-directory -M --machine -H --host --on-active --on-boot --on-calendar --service-type --timer-property --nice',
        flags:
          '--user --system --scope -t --pty --wait --collect -P --pipe -q --quiet -G -d --same-dir -r --remain-after-exit --no-block --no-ask-password --send-sighup --slice-inherit',
        place: 'unknown',
      },
    },
  },
  tmux: {
    verbs: Object.fromEntries(
      'new new-session neww new-window split-window splitw respawn-pane respawnp run-shell run popup display-popup'
        .split(' ')
        .map(verb => [verb, TMUX_START]),
    ),
    before: '-c -f -L -S -T',
  },
  screen: {
    verbs: {
      '': {
        values: '-c -e -h -p -s -S -t -T -Q',
        flags: '-a -A -d -D -i -l -L -m -O -q -r -R -U -v -x -ls -list -wipe',
        folder: '-r -x',
      },
    },
  },
  'nix-shell': { verbs: { '': NIX_SHELL } },
  firejail: { verbs: { '': { flags: '--noprofile --private --net=none --quiet', lenient: true, keeps: true } } },
  flatpak: run({ script: '--command', place: 'elsewhere', lenient: true }),
  chrt: {
    verbs: {
      '': {
        values: '-T -P -D --sched-runtime --sched-period --sched-deadline',
        flags: '-f -r -b -o -i -d -R -v --fifo --rr --batch --other --idle --deadline --reset-on-fork --verbose',
        skip: 1,
        // newer versions need no priority for some policies
        skipped: /^\d+$/,
        keeps: true,
      },
    },
  },
  setpriv: {
    verbs: {
      '': {
        values:
          '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --selinux-label --apparmor-profile --pdeathsig',
        flags: '-d --dump --nnp --no-new-privs --clear-groups --keep-groups --init-groups --reset-env',
        keeps: true,
      },
    },
  },
  prlimit: { verbs: { '': { values: '-p --pid -o --output', flags: '--noheadings --raw --verbose', keeps: true } } },
  choom: { verbs: { '': { values: '-n -p --adjust --pid', keeps: true } } },
  unshare: {
    verbs: {
      '': {
        values: '-S -G -R -w --setuid --setgid --root --wd --propagation --setgroups',
        flags: '-m -u -i -n -p -U -C -T -f -r -c',
        keeps: true,
      },
    },
  },
  nsenter: {
    verbs: {
      '': {
        values: '-t -S -G --target --setuid --setgid',
        flags: '-a -m -u -i -n -p -U -C -T -F',
        keeps: true,
      },
    },
  },
  chroot: { verbs: { '': { values: '--userspec --groups', flags: '--skip-chdir', skip: 1 } } },
  ionice: {
    verbs: {
      '': {
        numbers: '-c -n -p -P -u --class --classdata',
        flags: '-t --ignore',
        keeps: true,
        pure: true,
      },
    },
  },
  caffeinate: { verbs: { '': { values: '-t -w', flags: '-d -i -m -s -u', keeps: true } } },
  taskset: { verbs: { '': { flags: '-c -a', skip: 1, keeps: true } } },
}
