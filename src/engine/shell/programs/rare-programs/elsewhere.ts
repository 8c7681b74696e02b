import type { WrapperSpec } from '../wrappers/wrapper-spec.ts'
import type { RunSpecs } from './run-specs.ts'

const RUN_VALUES =
  '-v --volume -e --env --env-file -p --publish --name -w --workdir -u --user --network --net --entrypoint --platform -h --hostname -m --memory --cpus --mount --label -l --add-host --gpus --device --ipc --pid --restart --shm-size --tmpfs --ulimit --cap-add --cap-drop --security-opt --pull --link --dns --volumes-from --cidfile --runtime -a --attach --log-driver --log-opt --userns --group-add --index --detach-keys --health-cmd --health-interval --health-retries --health-timeout --health-start-period --expose --ip --label-file --memory-swap --memory-reservation --network-alias --pids-limit --stop-signal --stop-timeout --sysctl --cpuset-cpus --cpu-shares --annotation --dns-search --volume-driver'
const RUN_FLAGS =
  '-i -t -d -P -T -q --rm --privileged --init --read-only --interactive --tty --detach --publish-all --quiet --no-healthcheck --no-deps --service-ports --use-aliases --build --no-TTY --no-tty --quiet-pull --remove-orphans'

/** One word in front of the command names the container, the image, the service or the pod. */
const CONTAINER: WrapperSpec = { values: RUN_VALUES, flags: RUN_FLAGS, skip: 1, lenient: true, place: 'elsewhere' }

/** In a pod the command begins behind `--`. Older versions need none. */
const POD: WrapperSpec = {
  values: '-c --container -n --namespace -f --filename --pod-running-timeout --context --kubeconfig',
  flags: '-i -t -q --stdin --tty --quiet',
  skip: 1,
  dashes: true,
  lenient: true,
  place: 'elsewhere',
}
/** `kubectl run x --image=i -- cmd` */
const NEW_POD: WrapperSpec = { dashes: true, place: 'elsewhere' }

/** `vagrant ssh -c 'line'`, `gcloud compute ssh vm --command='line'` */
const LINE: WrapperSpec = { script: '-c -C --command', trailing: 'anywhere', dashes: true, place: 'elsewhere' }

const COMPOSE: RunSpecs['verbs'] = { exec: CONTAINER, run: CONTAINER }
const VALUES =
  '-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory'
const engine: RunSpecs = {
  verbs: {
    ...COMPOSE,
    'container exec': CONTAINER,
    'container run': CONTAINER,
    'compose exec': CONTAINER,
    'compose run': CONTAINER,
  },
  before: VALUES,
  flags: '-D --debug',
}
const compose: RunSpecs = { verbs: COMPOSE, before: VALUES }
const machine: RunSpecs = { verbs: { exec: { ...POD, values: '--env --cwd --user --group --mode' } } }
const fly: RunSpecs = { verbs: { 'ssh console': LINE }, before: '-a --app' }

/** Programs that run a command on another machine or in a container. */
export const ELSEWHERE_RUNNERS: Readonly<Record<string, RunSpecs>> = {
  docker: engine,
  podman: engine,
  nerdctl: engine,
  'docker-compose': compose,
  'podman-compose': compose,
  kubectl: {
    verbs: { exec: POD, run: NEW_POD, debug: NEW_POD },
    before:
      '-n --namespace --context --cluster -f --filename -o --output -l --selector --kubeconfig -s --server --as --token --user',
  },
  oc: { verbs: { exec: POD, rsh: POD, run: NEW_POD, debug: NEW_POD }, before: '-n --namespace' },
  lxc: machine,
  incus: machine,
  multipass: machine,
  adb: { verbs: { shell: { joins: true, place: 'elsewhere' } }, before: '-s -t -H -P' },
  vagrant: { verbs: { ssh: LINE } },
  gcloud: { verbs: { 'compute ssh': LINE }, before: '--project --zone --account --configuration' },
  fly,
  flyctl: fly,
  heroku: {
    verbs: {
      run: {
        values: '-a --app -r --remote -s --size -e --env',
        flags: '--no-tty',
        joins: true,
        place: 'elsewhere',
      },
    },
  },
}
